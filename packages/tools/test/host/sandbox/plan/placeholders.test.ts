import assert from "node:assert/strict"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { acquirePlaceholders } from "../../../../src/host/sandbox/plan/placeholders.ts"

/** The marks of placeholders, which other versions of the program know too. */
const [ours, shared] = [1_000_000_002, 1_000_000_004]
const markOf = (path: string) => statSync(path).mtimeMs / 1000

test("placeholders are empty folders or files with a text, and are removed at the end", (t) => {
  const root = folder(t, { "a/b": "" })
  const [made, file, empty] = [join(root, "made"), join(root, "file"), join(root, "a/empty")]
  const { folders, release } = acquirePlaceholders([
    { path: made, text: null },
    { path: file, text: "text\n" },
    { path: empty, text: "" },
    { path: join(root, "none/x"), text: "" },
  ])
  assert.deepEqual(folders, [root, join(root, "a")])
  assert.deepEqual([readdirSync(made), readFileSync(file, "utf8"), readFileSync(empty, "utf8")], [[], "text\n", ""])
  assert.deepEqual([made, file, empty].map(markOf), [ours, ours, ours])
  release()
  assert.deepEqual([readdirSync(root), readdirSync(join(root, "a"))], [["a"], ["b"]])
})

test("a placeholder stays until the last command that uses it ends", (t) => {
  const root = folder(t)
  const path = join(root, "p")
  const acquire = () => acquirePlaceholders([{ path, text: null }])
  const [one, two] = [acquire(), acquire()]
  assert.deepEqual([one.folders, two.folders], [[root], [root]])
  one.release()
  assert.equal(existsSync(path), true)
  assert.equal(markOf(path), ours)
  two.release()
  assert.equal(existsSync(path), false)
})

test("what exists already is no placeholder, and stays", (t) => {
  const root = folder(t, { file: "mine", "folder/x": "", same: "text" })
  mkdirSync(join(root, "empty"))
  const { folders, release } = acquirePlaceholders([
    { path: join(root, "file"), text: "mine" },
    { path: join(root, "folder"), text: null },
    { path: join(root, "empty"), text: null },
    { path: join(root, "same"), text: "text" },
  ])
  assert.deepEqual(folders, [])
  release()
  assert.deepEqual(readdirSync(root).toSorted(), ["empty", "file", "folder", "same"])
})

test("a placeholder of another process, or of one that died, is shared and removed at the end", (t) => {
  const root = folder(t)
  for (const mark of [ours, shared]) {
    const [made, file] = [join(root, "made"), join(root, "file")]
    mkdirSync(made)
    writeFileSync(file, "text")
    for (const path of [made, file]) utimesSync(path, mark, mark)
    const { folders, release } = acquirePlaceholders([
      { path: made, text: null },
      { path: file, text: "text" },
    ])
    assert.deepEqual(folders, [root])
    assert.deepEqual([made, file].map(markOf), [shared, shared])
    release()
    assert.deepEqual(readdirSync(root), [])
  }
})

test("a path with the mark of a placeholder and another content is none", (t) => {
  const root = folder(t, { "full/x": "", short: "tex", other: "tEXt", linked: "" })
  mkdirSync(join(root, "folder"))
  symlinkSync("linked", join(root, "link"))
  const placeholders = [
    { path: join(root, "full"), text: null },
    { path: join(root, "short"), text: "text" },
    { path: join(root, "other"), text: "text" },
    { path: join(root, "folder"), text: "" },
    { path: join(root, "linked"), text: null },
    { path: join(root, "link"), text: "" },
  ]
  for (const { path } of placeholders) utimesSync(path, ours, ours)
  assert.deepEqual(acquirePlaceholders(placeholders).folders, [])
})

test("a placeholder that was written to stays", (t) => {
  const root = folder(t)
  const [made, file, touched] = [join(root, "made"), join(root, "file"), join(root, "touched")]
  const { release } = acquirePlaceholders([
    { path: made, text: null },
    { path: file, text: "text" },
    { path: touched, text: "" },
  ])
  writeFileSync(join(made, "x"), "")
  writeFileSync(file, "TEXT")
  utimesSync(touched, ours + 1, ours + 1)
  release()
  assert.deepEqual(readdirSync(root).toSorted(), ["file", "made", "touched"])
})

test("no folder stays open", { skip: process.platform === "linux" ? false : "no /proc" }, (t) => {
  const root = realpathSync(folder(t))
  const openFolders = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root)
      } catch {
        return false
      }
    }).length
  const path = join(root, "p")
  const { release } = acquirePlaceholders([{ path, text: "" }])
  assert.equal(openFolders(), 0)
  release()
  assert.deepEqual([openFolders(), existsSync(path)], [0, false])
})
