import assert from "node:assert/strict"
import { posix } from "node:path"
import { test } from "node:test"
import { basename, dirname, isInside, join, normalize, relativeTo } from "../src/posix-path.ts"

test("paths are normalized as by the platform, except for a trailing slash", () => {
  const parts = ["", ".", "..", "a", "b", "..a"]
  const paths = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => [one, two, three].join("/"))))
  for (const path of [...paths, ...paths.map((path) => `/${path}`), "a", "/", ""]) {
    const plain = posix.normalize(path).replace(/(?<=.)\/$/, "")
    assert.equal(normalize(path), plain, JSON.stringify(path))
  }
  assert.equal(join("/a", "../b"), "/b")
})

test("folder and name of a path", () => {
  const rows = [
    ["/a/b", "/a", "b"],
    ["/a", "/", "a"],
    ["a", ".", "a"],
    ["a/b", "a", "b"],
    ["/", "/", ""],
  ] as const
  for (const [path, folder, name] of rows) assert.deepEqual([dirname(path), basename(path)], [folder, name], path)
})

test("containment in a folder, and relative paths", () => {
  const rows = [
    ["/a", "/a", true, "."],
    ["/a", "/a/b/c", true, "b/c"],
    ["/a", "/ab", false, "/ab"],
    ["/a", "/", false, "/"],
    ["/a/b", "/a", false, "/a"],
    ["/", "/a/b", true, "a/b"],
    ["/", "/", true, "."],
  ] as const
  for (const [folder, path, inside, seen] of rows)
    assert.deepEqual([isInside(folder, path), relativeTo(folder, path)], [inside, seen], `${folder} ${path}`)
})
