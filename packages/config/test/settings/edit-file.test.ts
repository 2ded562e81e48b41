import assert from "node:assert/strict"
import { lstatSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { editFile } from "../../src/settings/edit-file.ts"

const shown = (text: Parameters<typeof englishOf>[0] | string): string =>
  typeof text === "string" ? text : englishOf(text)

test("the target of a link is edited in the user's home; a link of a repository is replaced, its target untouched", async (t) => {
  const repository = folder(t, { "mcp.json": '{ "a": 1 } // mine\n' })
  const home = folder(t, {})
  const project = folder(t, {})
  for (const place of [home, project]) symlinkSync(join(repository, "mcp.json"), join(place, "mcp.json"))
  assert.ok((await editFile(project, "mcp.json", () => [[["b"], 1]], { replacesLink: true })).ok)
  assert.ok(!lstatSync(join(project, "mcp.json")).isSymbolicLink())
  assert.equal(readFileSync(join(repository, "mcp.json"), "utf8"), '{ "a": 1 } // mine\n')
  assert.ok((await editFile(home, "mcp.json", () => [[["b"], 2]])).ok)
  assert.ok(lstatSync(join(home, "mcp.json")).isSymbolicLink())
  assert.match(readFileSync(join(repository, "mcp.json"), "utf8"), /^\{\s+"a": 1,\s+"b": 2\s*\} \/\/ mine\n$/)
})

test("a file with equal keys is not edited where the edit would have no effect", async (t) => {
  const text = '{ "servers": { "a": 1 }, "servers": { "a": 2 } }'
  const home = folder(t, { "mcp.json": text })
  for (const value of [3, undefined]) {
    const done = await editFile(home, "mcp.json", () => [[["servers", "a"], value]])
    assert.ok(!done.ok)
    assert.match(
      done.error.texts.map(shown).join(),
      /mcp\.json contains a part of servers\.a twice\. Remove one of them\./,
    )
    assert.equal(readFileSync(join(home, "mcp.json"), "utf8"), text)
  }
})

test("removing a value that is not there changes nothing, however deep it would be", async (t) => {
  const home = folder(t, { "a.json": '{ "b": { "c": 1 } }' })
  for (const path of [["x"], ["x", "y"], ["b", "x"], ["b", "c", "d", "e"]]) {
    const done = await editFile(home, "a.json", () => [[path, undefined]])
    assert.deepEqual(done, { ok: true, value: '{ "b": { "c": 1 } }' }, path.join("."))
  }
  assert.deepEqual(await editFile(home, "new.json", () => [[["x", "y"], undefined]]), { ok: true, value: "{}\n" })
})

test("several values are set in order, each with the text of the one before", async (t) => {
  const home = folder(t, {})
  const seen: unknown[] = []
  const done = await editFile(home, "a.json", (now, text) => {
    seen.push([now, text])
    return [
      [["a", "b"], [1]],
      [["a", "b", 1], 2],
      [["c"], null],
    ]
  })
  assert.deepEqual([...seen], [[{}, null]])
  assert.deepEqual(done.ok && JSON.parse(done.value), { a: { b: [1, 2] }, c: null })
  await editFile(home, "a.json", (now, text) => {
    seen.push([now, text])
    return []
  })
  assert.deepEqual(seen[1], [{ a: { b: [1, 2] }, c: null }, done.ok && done.value])
})

test("a file that is invalid or no object is not edited", async (t) => {
  for (const [text, problem] of [
    ["[]", /a\.json:1: this must be an object, \{\.\.\.\}\. Fix it or move it away\.$/],
    ["7", /a\.json:1: this must be an object/],
    ['{"a": ', /a\.json:1:7: value expected\./],
  ] as const) {
    const home = folder(t, { "a.json": text })
    const done = await editFile(home, "a.json", () => assert.fail("no edit"))
    assert.match(done.ok ? "" : done.error.lines.join(), problem)
    assert.equal(readFileSync(join(home, "a.json"), "utf8"), text)
  }
})
