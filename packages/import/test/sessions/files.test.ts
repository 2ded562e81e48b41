import assert from "node:assert/strict"
import { symlinkSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { filesBelow, jsonOf, textOf } from "../../src/sessions/files.ts"

test("files are found six folders deep, sorted, by their name; links are not followed", (t) => {
  const names = [
    "c.json",
    "a.json",
    "B.json",
    "d.txt",
    "b/x.json",
    "1/2/3/4/5/6/deep.json",
    "1/2/3/4/5/6/7/deeper.json",
  ]
  const root = folder(t, Object.fromEntries(names.map((name) => [name, ""])))
  symlinkSync(join(root, "b"), join(root, "link"))
  symlinkSync(join(root, "a.json"), join(root, "link.json"))
  const found = (depth?: number) => filesBelow(root, /\.json$/, depth).map((path) => path.slice(root.length + 1))
  assert.deepEqual(found(), ["1/2/3/4/5/6/deep.json", "B.json", "a.json", "b/x.json", "c.json"])
  assert.deepEqual(found(0), ["B.json", "a.json", "c.json"])
  assert.deepEqual(found(1), ["B.json", "a.json", "b/x.json", "c.json"])
  assert.deepEqual(filesBelow(join(root, "none"), /x/), [])
})

test("a file that cannot be read, or of more than 256 MB, has no text", (t) => {
  const root = folder(t, { "a.json": '{"a":1}', "b.json": "{", large: "" })
  truncateSync(join(root, "large"), 256 * 1024 * 1024 + 1)
  assert.deepEqual(
    ["a.json", "none", "large", "."].map((name) => textOf(join(root, name))),
    ['{"a":1}', null, null, null],
  )
  assert.deepEqual(jsonOf(join(root, "a.json")), { a: 1 })
  assert.deepEqual([jsonOf(join(root, "b.json")), jsonOf(join(root, "none"))], [undefined, undefined])
})
