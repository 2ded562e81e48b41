import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { decide } from "../../src/trust/decide.ts"
import { readTrust, saveTrust, type TrustStore } from "../../src/trust/store.ts"
import { findSurface } from "../../src/trust/surface.ts"
import { folder } from "../config/folder.ts"

function put(root: string, name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}

const nobody: TrustStore = new Map()

function judged(root: string, store: TrustStore = nobody, flag: "yes" | "no" | null = null) {
  return decide({ surface: findSurface(root), flag, store })
}

const hook = { type: "command", command: "true" }
const twoHooks = JSON.stringify({ hooks: { Stop: [{ hooks: [hook, hook] }] } })

test("[SC-13] without a decision nothing of the folder acts, and one line says what was left", (t) => {
  const root = folder(t, {
    ".gong/settings.json": "{}",
    ".gong/hooks.json": twoHooks,
    ".gong/hooks/h.sh": "",
    ".claude/settings.json": '{"permissions": {}}',
    ".gong/extensions/a.ts": "",
    ".gong/extensions/b/c.ts": "",
  })
  assert.deepEqual(judged(root), {
    trusted: null,
    line: "gong: this folder brings 1 settings file, 2 hooks, 1 hook file and 2 extension files that were not loaded (not trusted). Trust once: --trust yes",
  })
})

test("text is not covered: AGENTS.md, CLAUDE.md, skill descriptions, README", (t) => {
  const root = folder(t, {
    "AGENTS.md": "",
    "CLAUDE.md": "",
    ".gong/skills/x/SKILL.md": "",
    ".claude/skills/y/SKILL.MD": "",
    ".gong/AGENTS.md": "",
  })
  assert.equal(findSurface(root).files.size, 0)
  assert.deepEqual(judged(root), { trusted: null, line: null })
})

test("everything that can act is covered", (t) => {
  const paths = [
    ".agents/prompts/p.md",
    ".agents/skills/x/run.sh",
    ".claude/prompts/p.md",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/skills/x/a.py",
    ".gong/APPEND_SYSTEM.md",
    ".gong/SYSTEM.md",
    ".gong/extensions/e.ts",
    ".gong/hooks.json",
    ".gong/hooks/h.ts",
    ".gong/mcp.json",
    ".gong/prompts/p.md",
    ".gong/settings.json",
    ".gong/skills/x/run.sh",
    ".pi/SYSTEM.md",
    ".pi/extensions/e.ts",
    ".pi/settings.json",
  ]
  const root = folder(t, Object.fromEntries(paths.map((path) => [path, "x"])))
  assert.deepEqual([...findSurface(root).files.keys()], paths)
})

test("--trust decides for this run, and no is silent", (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "x" })
  assert.equal(judged(root, nobody, "yes").trusted?.root, root)
  assert.deepEqual(judged(root, nobody, "no"), { trusted: null, line: null })
  const trusted: TrustStore = new Map([[root, { trusted: true, files: Object.fromEntries(findSurface(root).files) }]])
  assert.equal(judged(root, trusted, "no").trusted, null)
})

test("a stored decision holds for exactly these files", (t) => {
  const home = folder(t)
  const root = folder(t, { ".gong/settings.json": "{}", ".gong/SYSTEM.md": "be kind" })
  saveTrust(home, root, { trusted: true, files: Object.fromEntries(findSurface(root).files) })
  assert.equal(judged(root, readTrust(home)).trusted?.root, root)
  assert.equal(statSync(join(home, "trust.json")).mode & 0o777, 0o600)

  put(root, "AGENTS.md", "new text")
  assert.notEqual(judged(root, readTrust(home)).trusted, null, "text may change")
  put(root, ".gong/SYSTEM.md", "be evil")
  assert.deepEqual(judged(root, readTrust(home)), {
    trusted: null,
    line: "gong: .gong/SYSTEM.md changed since you trusted this folder; nothing of it was loaded. Trust once: --trust yes",
  })
  put(root, ".gong/SYSTEM.md", "be kind")
  put(root, ".gong/hooks.json", twoHooks)
  put(root, ".gong/hooks/a.ts", "")
  assert.match(judged(root, readTrust(home)).line ?? "", /^gong: \.gong\/hooks.* and 1 more changed since/)
  rmSync(join(root, ".gong"), { recursive: true })
  assert.equal(judged(root, readTrust(home)).trusted, null, "nothing is left to trust")
})

test("a stored no is silent; decisions about other folders stay", (t) => {
  const home = folder(t)
  const [one, two] = [folder(t, { ".gong/SYSTEM.md": "" }), folder(t, { ".gong/SYSTEM.md": "" })]
  saveTrust(home, one, { trusted: false, files: {} })
  saveTrust(home, two, { trusted: true, files: Object.fromEntries(findSurface(two).files) })
  assert.deepEqual(judged(one, readTrust(home)), { trusted: null, line: null })
  assert.notEqual(judged(two, readTrust(home)).trusted, null)
})

test("a trust file that is broken or holds nonsense trusts nobody", (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "x" })
  for (const text of [
    "{",
    "[]",
    "null",
    `{"${root}": true}`,
    `{"${root}": {"trusted": "yes", "files": {}}}`,
    `{"${root}": {"trusted": true}}`,
  ]) {
    assert.equal(judged(root, readTrust(folder(t, { "trust.json": text }))).trusted, null, text)
  }
})

test("links are judged by what they lead to; loops and pipes end", (t) => {
  const outside = folder(t, { "evil.ts": "1" })
  const root = folder(t, { ".gong/hooks/x": "" })
  symlinkSync(outside, join(root, ".gong/extensions"))
  const before = findSurface(root)
  assert.deepEqual([...before.files.keys()], [".gong/extensions/evil.ts", ".gong/hooks/x"])
  put(outside, "evil.ts", "2")
  assert.notEqual(findSurface(root).hash, before.hash)

  execFileSync("mkfifo", [join(root, ".gong/hooks/pipe")])
  assert.equal(findSurface(root).files.get(".gong/hooks/pipe"), "not a regular file")
  symlinkSync(join(root, ".gong"), join(root, ".gong/hooks/loop"))
  assert.equal(findSurface(root).tooLarge, true)
  assert.equal(judged(root, nobody, "yes").trusted, null, "what cannot be judged cannot be trusted")
})

test("settings of another program count only where they bring hooks, in whatever spelling", (t) => {
  const counts = (text: string) => findSurface(folder(t, { ".claude/settings.json": text })).summary
  assert.equal(counts('{"permissions": {"allow": ["Bash"]}}'), "")
  assert.equal(counts(twoHooks), "2 hooks")
  assert.equal(counts('{"h\\u006foks": {}}'), "1 hook")
  assert.equal(counts('{ /* a comment */ "hooks": {} }'), "1 hook")
  assert.equal(counts('{"hooks": [1, null], "x": '), "1 hook")
})
