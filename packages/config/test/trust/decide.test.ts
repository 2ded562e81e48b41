import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { noOrdinaryUser, ordinaryUser } from "@gong/testing/ordinary-user"
import { decide } from "../../src/trust/decide.ts"
import { readTrust, saveTrust, type TrustStore } from "../../src/trust/store.ts"
import { findActiveContent } from "../../src/trust/active-content.ts"
import { folder } from "@gong/testing/folder"
import { here } from "../here.ts"
import { english } from "@gong/texts/translator"

function put(root: string, name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}

const nobody: TrustStore = new Map()

async function judged(root: string, store: TrustStore = nobody, flag: "yes" | "no" | null = null) {
  return decide(english, { content: await findActiveContent(english, here, root), flag, store })
}

const hook = { type: "command", command: "true" }
const twoHooks = JSON.stringify({ hooks: { Stop: [{ hooks: [hook, hook] }] } })

test("[SAFE-19] [SC-13] without a decision no active content is loaded, and one line reports it", async (t) => {
  const root = folder(t, {
    ".gong/settings.json": "{}",
    ".gong/hooks.json": twoHooks,
    ".gong/hooks/h.sh": "",
    ".claude/settings.json": '{"permissions": {}}',
    ".gong/extensions/a.ts": "",
    ".gong/extensions/b/c.ts": "",
  })
  assert.deepEqual(await judged(root), {
    trusted: null,
    line: "gong: this folder contains 1 settings file, 2 hooks, 1 hook file and 2 extension files, which were not loaded (not trusted). Trust it for one run: --trust yes; permanently: gong trust",
  })
})

test("a single skipped item is reported in the singular", async (t) => {
  assert.match(
    (await judged(folder(t, { ".gong/settings.json": "{}" }))).line ?? "",
    /contains 1 settings file, which was not loaded/,
  )
})

test("the first of several changes by path is named", async (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "", ".gong/settings.json": "{}" })
  const then = { ".gong/settings.json": "", ".gong/mcp.json": "" }
  const { line } = await judged(root, new Map([[root, { trusted: true, files: then }]]))
  assert.match(line ?? "", /^gong: \.gong\/SYSTEM\.md and 2 more changed since/)
})

test("text is not covered: AGENTS.md, CLAUDE.md, skill descriptions, README", async (t) => {
  const root = folder(t, {
    "AGENTS.md": "",
    "CLAUDE.md": "",
    ".gong/skills/x/SKILL.md": "",
    ".claude/skills/y/SKILL.MD": "",
    ".gong/AGENTS.md": "",
  })
  assert.equal((await findActiveContent(english, here, root)).files.size, 0)
  assert.deepEqual(await judged(root), { trusted: null, line: null })
})

test("all active content is covered", async (t) => {
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
  assert.deepEqual([...(await findActiveContent(english, here, root)).files.keys()], paths)
})

test("--trust decides for this run, and no is silent", async (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "x" })
  assert.equal((await judged(root, nobody, "yes")).trusted?.root, root)
  assert.deepEqual(await judged(root, nobody, "no"), { trusted: null, line: null })
  const trusted: TrustStore = new Map([
    [root, { trusted: true, files: Object.fromEntries((await findActiveContent(english, here, root)).files) }],
  ])
  assert.equal((await judged(root, trusted, "no")).trusted, null)
})

test("a stored decision applies to exactly these files", async (t) => {
  const home = folder(t)
  const root = folder(t, { ".gong/settings.json": "{}", ".gong/SYSTEM.md": "be kind" })
  saveTrust(english, home, root, {
    trusted: true,
    files: Object.fromEntries((await findActiveContent(english, here, root)).files),
  })
  assert.equal((await judged(root, readTrust(english, home).store)).trusted?.root, root)
  assert.equal(statSync(join(home, "trust.json")).mode & 0o777, 0o600)

  put(root, "AGENTS.md", "new text")
  assert.notEqual((await judged(root, readTrust(english, home).store)).trusted, null, "text may change")
  put(root, ".gong/SYSTEM.md", "be evil")
  assert.deepEqual(await judged(root, readTrust(english, home).store), {
    trusted: null,
    line: "gong: .gong/SYSTEM.md changed since you trusted this folder; its active content was not loaded. Trust it for one run: --trust yes; permanently: gong trust",
  })
  put(root, ".gong/SYSTEM.md", "be kind")
  put(root, ".gong/hooks.json", twoHooks)
  put(root, ".gong/hooks/a.ts", "")
  assert.match(
    (await judged(root, readTrust(english, home).store)).line ?? "",
    /^gong: \.gong\/hooks.* and 1 more changed since/,
  )
  rmSync(join(root, ".gong"), { recursive: true })
  assert.equal((await judged(root, readTrust(english, home).store)).trusted, null, "nothing is left to trust")
})

test("a stored no is silent; decisions about other folders stay", async (t) => {
  const home = folder(t)
  const [one, two] = [folder(t, { ".gong/SYSTEM.md": "" }), folder(t, { ".gong/SYSTEM.md": "" })]
  saveTrust(english, home, one, { trusted: false, files: {} })
  saveTrust(english, home, two, {
    trusted: true,
    files: Object.fromEntries((await findActiveContent(english, here, two)).files),
  })
  assert.deepEqual(await judged(one, readTrust(english, home).store), { trusted: null, line: null })
  assert.notEqual((await judged(two, readTrust(english, home).store)).trusted, null)
})

test("an invalid trust file trusts nothing", async (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "x" })
  for (const text of [
    "{",
    "[]",
    "null",
    `{"${root}": true}`,
    `{"${root}": {"trusted": "yes", "files": {}}}`,
    `{"${root}": {"trusted": true}}`,
  ]) {
    assert.equal((await judged(root, readTrust(english, folder(t, { "trust.json": text })).store)).trusted, null, text)
  }
})

test("an unreadable file is not overwritten; unknown content of a readable one stays", async (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "x" })
  const decision = { trusted: true, files: {} }
  const broken = {
    [`{\n  "/a": {"trusted": true, "files": {}},\n}\n`]:
      /\/trust\.json:3:1: this is not JSON\. Fix it there or move the file away\.$/,
    '{"/a": ': /\/trust\.json:1:7: this is not JSON\./,
    "[]": /\/trust\.json:1: this must be an object, \{\.\.\.\}\. Fix it or move it away\.$/,
  }
  for (const [text, line] of Object.entries(broken)) {
    const home = folder(t, { "trust.json": text })
    const saved = saveTrust(english, home, root, decision)
    assert.match(saved.ok ? "" : (saved.error.lines[0] ?? ""), line)
    assert.equal(readFileSync(join(home, "trust.json"), "utf8"), text)
  }
  const home = folder(t, { "trust.json": '{"/a": "of a later Gong"}' })
  assert.ok(saveTrust(english, home, root, decision).ok)
  const kept: unknown = JSON.parse(readFileSync(join(home, "trust.json"), "utf8"))
  assert.deepEqual(kept, { "/a": "of a later Gong", [root]: decision })
})

test("a link outside is not followed; link cycles and FIFOs end", async (t) => {
  const outside = folder(t, { "evil.ts": "1", secret: "their key" })
  const root = folder(t, { ".gong/hooks/x": "", "inside.md": "1" })
  symlinkSync(outside, join(root, ".gong/extensions"))
  symlinkSync(join(outside, "secret"), join(root, ".gong/SYSTEM.md"))
  symlinkSync("../inside.md", join(root, ".gong/APPEND_SYSTEM.md"))
  const { files, hash } = await findActiveContent(english, here, root)
  assert.deepEqual(
    [...files.keys()],
    [".gong/APPEND_SYSTEM.md", ".gong/SYSTEM.md", ".gong/extensions", ".gong/hooks/x"],
  )
  assert.equal(files.get(".gong/extensions"), `leads to ${outside}`)
  const { trusted } = await judged(root, nobody, "yes")
  assert.deepEqual(await trusted?.read(".gong/APPEND_SYSTEM.md"), { ok: true, text: "1" })
  assert.match(JSON.stringify(await trusted?.read(".gong/SYSTEM.md")), /leads out of/)
  put(root, "inside.md", "2")
  assert.notEqual(
    (await findActiveContent(english, here, root)).hash,
    hash,
    "a link inside is judged by what it leads to",
  )

  execFileSync("mkfifo", [join(root, ".gong/hooks/pipe")])
  assert.equal((await findActiveContent(english, here, root)).files.get(".gong/hooks/pipe"), "not a regular file")
  symlinkSync(join(root, ".gong"), join(root, ".gong/hooks/loop"))
  assert.equal((await findActiveContent(english, here, root)).tooLarge, true)
  assert.equal((await judged(root, nobody, "yes")).trusted, null, "what cannot be judged cannot be trusted")
})

test("[SAFE-20] trust applies to bytes: a file that changes, appears or becomes a FIFO afterwards is not returned", async (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "be kind", ".gong/prompts/a.md": "one" })
  const { trusted } = await judged(root, nobody, "yes")
  assert.deepEqual(await trusted?.read(".gong/SYSTEM.md"), { ok: true, text: "be kind" })
  put(root, ".gong/SYSTEM.md", "be evil")
  put(root, ".gong/prompts/b.md", "new")
  assert.deepEqual(await trusted?.read(".gong/SYSTEM.md"), {
    ok: false,
    problem: "changed since this folder was trusted",
  })
  assert.deepEqual(await trusted?.read(".gong/prompts/b.md"), { ok: true, text: null })
  assert.deepEqual(await trusted?.read("../../etc/passwd"), { ok: true, text: null })
  rmSync(join(root, ".gong/SYSTEM.md"))
  execFileSync("mkfifo", [join(root, ".gong/SYSTEM.md")])
  assert.deepEqual(await trusted?.read(".gong/SYSTEM.md"), { ok: false, problem: "is not a regular file" })
})

test("scripts named by hooks are trusted content, in every notation", async (t) => {
  const commands = [
    "./scripts/a.sh --fast",
    'node \\"$CLAUDE_PROJECT_DIR\\"/scripts/b.js',
    "sh ${GONG_PROJECT_DIR}/scripts/c.sh",
    "python3 tools/d.py; echo ../up.sh /etc/passwd",
  ]
  const hooks = commands.map((command) => `{"type": "command", "command": "${command}"}`)
  const names = ["scripts/a.sh", "scripts/b.js", "scripts/c.sh", "tools/d.py"]
  const root = folder(t, {
    ".gong/settings.json": `{/* so */ "hooks": {"Stop": [{"hooks": [${hooks.join(", ")}]}]}}`,
    "scripts/other.sh": "",
    ...Object.fromEntries(names.map((name) => [name, "1"])),
  })
  const before = await findActiveContent(english, here, root)
  assert.deepEqual([...before.files.keys()], [".gong/settings.json", ...names])
  assert.equal(before.summary, "1 settings file and 4 scripts of hooks")
  put(root, "tools/d.py", "2")
  assert.notEqual((await findActiveContent(english, here, root)).hash, before.hash)
})

test("a refused change is remembered; the earlier state stays trusted, and the next change is reported", async (t) => {
  const home = folder(t)
  const root = folder(t, { ".gong/SYSTEM.md": "one" })
  const trusted = { trusted: true, files: Object.fromEntries((await findActiveContent(english, here, root)).files) }
  put(root, ".gong/SYSTEM.md", "two")
  saveTrust(english, home, root, { ...trusted, refused: (await findActiveContent(english, here, root)).hash })
  assert.deepEqual(await judged(root, readTrust(english, home).store), { trusted: null, line: null })
  put(root, ".gong/SYSTEM.md", "three")
  assert.match((await judged(root, readTrust(english, home).store)).line ?? "", /SYSTEM\.md changed since/)
  put(root, ".gong/SYSTEM.md", "one")
  assert.notEqual((await judged(root, readTrust(english, home).store)).trusted, null)
})

test("the user's home is not a project, even if its parent folder is the workspace", async (t) => {
  const root = folder(t, { ".gong/settings.json": "{}", ".gong/hooks.json": twoHooks })
  assert.deepEqual([...(await findActiveContent(english, here, root, [join(root, ".gong")])).files.keys()], [])
})

test("an unreadable folder is reported and does not fail", { skip: noOrdinaryUser }, async (t) => {
  const root = folder(t, { ".gong/hooks/x": "" })
  const closed = join(root, ".gong/hooks")
  chmodSync(closed, 0o000)
  chmodSync(root, 0o755)
  const asNobody = `import { findActiveContent } from ${JSON.stringify(new URL("../../src/trust/active-content.ts", import.meta.url).href)}
    import { english } from ${JSON.stringify(new URL("../../../texts/src/translator.ts", import.meta.url).href)}
    import { here } from ${JSON.stringify(new URL("../here.ts", import.meta.url).href)}
    process.stdout.write(JSON.stringify([...(await findActiveContent(english, here, ${JSON.stringify(root)})).files]))`
  const options = { encoding: "utf8", ...ordinaryUser } as const
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", asNobody], options)
  assert.deepEqual(JSON.parse(printed), [[".gong/hooks", "not a regular file"]])
})

test("settings of another agent count only with hooks, in any spelling", async (t) => {
  const counts = async (text: string) =>
    (await findActiveContent(english, here, folder(t, { ".claude/settings.json": text }))).summary
  assert.equal(await counts('{"permissions": {"allow": ["Bash"]}}'), "")
  assert.equal(await counts(twoHooks), "2 hooks")
  assert.equal(await counts('{"h\\u006foks": {}}'), "1 hook")
  assert.equal(await counts('{ /* a comment */ "hooks": {} }'), "1 hook")
  assert.equal(await counts('{"hooks": [1, null], "x": '), "1 hook")
})
