import assert from "node:assert/strict"
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { privateFolder } from "../src/private-folder.ts"
import { folder } from "@gong/testing/folder"

function opened(home: string, names: readonly string[], make: boolean) {
  const { path, problem } = privateFolder(home, names, { make })
  return [path, problem && englishOf(problem)]
}

test("a private folder is created for the user only, level by level, and reused", (t) => {
  const home = folder(t)
  const path = join(home, "a", "b")
  assert.deepEqual(opened(home, ["a", "b"], false), [null, null], "a missing one is no problem")
  assert.deepEqual(opened(home, ["a", "b"], true), [path, null])
  assert.deepEqual([statSync(path).mode & 0o777, statSync(join(home, "a")).mode & 0o777], [0o700, 0o700])
  assert.deepEqual(opened(home, ["a", "b"], false), [path, null])
})

test("a file, a link and a folder that others can write are not private folders", (t) => {
  const home = folder(t, { file: "" })
  mkdirSync(join(home, "open"))
  mkdirSync(join(home, "real"))
  symlinkSync("real", join(home, "link"))
  writeFileSync(join(home, "open/file"), "")
  const problem = (...names: readonly string[]) => opened(home, names, true)
  assert.deepEqual(problem("file"), [null, `${join(home, "file")} is not a folder`])
  assert.deepEqual(problem("link"), [null, `${join(home, "link")} is not a folder`])
  assert.deepEqual(problem("file", "below"), [null, `${join(home, "file")} is not a folder`])
  for (const mode of [0o720, 0o702, 0o777]) {
    chmodSync(join(home, "open"), mode)
    assert.deepEqual(
      problem("open"),
      [null, `others can write to ${join(home, "open")} (chmod go-w)`],
      mode.toString(8),
    )
    assert.deepEqual(problem("open", "below"), problem("open"))
  }
  chmodSync(join(home, "open"), 0o755)
  assert.deepEqual(problem("open"), [join(home, "open"), null])
})

test("a folder of another user is not a private folder", { skip: process.geteuid?.() !== 0 }, (t) => {
  const home = folder(t)
  mkdirSync(join(home, "theirs"), { mode: 0o700 })
  chownSync(join(home, "theirs"), 12_345, 12_345)
  assert.deepEqual(opened(home, ["theirs"], true), [null, `${join(home, "theirs")} belongs to another user`])
})
