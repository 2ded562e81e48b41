import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf } from "@gong/spec"
import { denyRulesOf, readProjectFiles } from "../src/project-files.ts"
import { trust } from "./trust/trusted.ts"
import { folder } from "@gong/testing/folder"

const hooks = { hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } }
const hooked = (more: object = {}) => JSON.stringify({ ...hooks, ...more })

async function filesOf(t: TestContext, files: Readonly<Record<string, string>>, change?: (root: string) => void) {
  const root = folder(t, files)
  const trusted = await trust(root)
  change?.(root)
  const read = await readProjectFiles(trusted)
  const short = (text: string) => text.replaceAll(`${root}/`, "")
  return {
    hooks: read.hooks.map(({ path }) => short(path)),
    deny: read.deny.map(({ at, text }) => `${short(at)} ${text}`),
    lines: read.lines.map((line) => short(englishOf(line))),
    read,
  }
}

test("hooks are read from three files in this order, with their location; deny rules from those of Claude Code alone", async (t) => {
  const deny = { permissions: { deny: ["Bash(rm:*)", "Read(a)"] } }
  const found = await filesOf(t, {
    ".claude/settings.local.json": `{\n"permissions": {"deny": [\n"Edit(b)"\n]},\n"hooks": {}}`,
    ".claude/settings.json": hooked(deny),
    ".gong/hooks.json": `{\n\n${hooked(deny).slice(1)}`,
    ".gong/settings.json": hooked(),
  })
  assert.deepEqual(found.hooks, [".gong/hooks.json", ".claude/settings.json", ".claude/settings.local.json"])
  assert.deepEqual(found.deny, [
    ".claude/settings.json:1 Bash(rm:*)",
    ".claude/settings.json:1 Read(a)",
    ".claude/settings.local.json:3 Edit(b)",
  ])
  assert.deepEqual(found.lines, [])
  const [first] = found.read.hooks
  assert.deepEqual(first?.hooks, hooks.hooks)
  assert.match((await first?.locationOf(["Stop", 0])) ?? "", /hooks\.json:3$/)
})

test("a file without hooks has none, and a folder without files has nothing", async (t) => {
  const rules = '{"permissions": {"deny": ["Bash"]}}'
  assert.deepEqual((await filesOf(t, { ".claude/settings.json": rules })).hooks, [])
  const none = await filesOf(t, { "a.txt": "" })
  assert.deepEqual([none.hooks, none.deny, none.lines], [[], [], []])
})

test("disableAllHooks in one file turns the hooks of all off, and no deny rule; only true does", async (t) => {
  const files = (value: unknown) => ({
    ".gong/hooks.json": hooked({ disableAllHooks: value }),
    ".claude/settings.json": hooked({ permissions: { deny: ["Bash"] } }),
  })
  const off = await filesOf(t, files(true))
  assert.deepEqual([off.hooks, off.deny], [[], [".claude/settings.json:1 Bash"]])
  for (const value of [false, "true", 1, null])
    assert.equal((await filesOf(t, files(value))).hooks.length, 2, JSON.stringify(value))
})

test("an unreadable, changed or malformed file is reported, and the others hold", async (t) => {
  const broken = await filesOf(t, {
    ".gong/hooks.json": "{",
    ".claude/settings.json": hooked({ permissions: { deny: ["Bash", 7] } }),
  })
  assert.deepEqual(broken.hooks, [".claude/settings.json"])
  assert.deepEqual(broken.deny, [".claude/settings.json:1 Bash"])
  assert.deepEqual(broken.lines, [
    "gong: .gong/hooks.json:1:2: close brace expected. Fix it there or move the file away. Its hooks and rules are not active.",
    'gong: .claude/settings.json:1: a deny rule is a text in a list, ["Bash(rm:*)"]; this one does not hold.',
  ])
  assert.deepEqual((await filesOf(t, { ".gong/hooks.json": '["hooks"] // mine' })).lines, [
    'gong: .gong/hooks.json:1: hooks must be in an object, {"hooks": {...}}.',
  ])
  const changed = await filesOf(t, { ".gong/hooks.json": hooked() }, (root) =>
    writeFileSync(join(root, ".gong/hooks.json"), hooked({ more: 1 })),
  )
  assert.deepEqual(changed.hooks, [])
  assert.deepEqual(changed.lines, [
    "gong: .gong/hooks.json changed since this folder was trusted; it is skipped. Its hooks and rules are not active.",
  ])
})

test("deny rules are a list; another value is one invalid rule", () => {
  assert.deepEqual(denyRulesOf({}), [])
  assert.deepEqual(denyRulesOf({ permissions: "x" }), [])
  assert.deepEqual(denyRulesOf({ permissions: { allow: ["a"] } }), [])
  assert.deepEqual(denyRulesOf({ permissions: { deny: ["a", 1] } }), ["a", 1])
  assert.deepEqual(denyRulesOf({ permissions: { deny: "a" } }), [null])
  assert.deepEqual(denyRulesOf({ permissions: { deny: null } }), [null])
})
