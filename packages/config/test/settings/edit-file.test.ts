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
