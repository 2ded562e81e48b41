import assert from "node:assert/strict"
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { answerFile } from "../../../src/compose/output/answer-file.ts"
import { isFile, writeToFile } from "../../../src/compose/output/file-output.ts"

async function saved(path: string, text: string): Promise<string> {
  const save = answerFile(path)
  assert.ok(save.ok && save.value !== null, save.ok ? "" : save.error.lines.join())
  const error = await save.value(text)
  return error === null ? readFileSync(path, "utf8") : `${error.exit} ${error.lines.join()}`
}

test("an answer is written with a line end, in place of the old content; an empty one stays empty", async (t) => {
  const root = folder(t, { "old.txt": "old content", "target.txt": "t" })
  assert.deepEqual(answerFile(undefined), { ok: true, value: null })
  assert.equal(await saved(join(root, "old.txt"), "new"), "new\n")
  assert.equal(await saved(join(root, "old.txt"), "new\n"), "new\n")
  assert.equal(await saved(join(root, "a.txt"), ""), "")
  symlinkSync("target.txt", join(root, "link.txt"))
  symlinkSync("made.txt", join(root, "dangling.txt"))
  assert.equal(await saved(join(root, "link.txt"), "x"), "x\n")
  assert.equal(readFileSync(join(root, "target.txt"), "utf8"), "x\n")
  assert.equal(await saved(join(root, "dangling.txt"), "y"), "y\n")
  assert.equal(readFileSync(join(root, "made.txt"), "utf8"), "y\n")
  for (const link of ["link.txt", "dangling.txt"]) assert.ok(lstatSync(join(root, link)).isSymbolicLink(), link)
})

test("a file that cannot be written is refused before the first request, or is an error of status 1 after it", async (t) => {
  const root = folder(t, { "dir/x": "" })
  const refused = (path: string) => {
    const save = answerFile(path)
    return save.ok ? [] : [save.error.exit, ...save.error.lines]
  }
  assert.deepEqual(refused(join(root, "dir")), [2, `gong: -o ${root}/dir: this is a folder. Name a file in it.`])
  assert.deepEqual(refused(join(root, "none/a")), [2, `gong: -o ${root}/none/a: cannot write there (ENOENT).`])
  const late = answerFile(join(root, "late"))
  mkdirSync(join(root, "late"))
  const error = late.ok && late.value !== null ? await late.value("x") : null
  assert.deepEqual([error?.exit, error?.lines], [1, [`gong: -o ${root}/late: cannot write there (EISDIR).`]])
  const full = answerFile("/dev/full")
  const noSpace = full.ok && full.value !== null ? await full.value("x") : null
  assert.deepEqual(
    [noSpace?.exit, noSpace?.lines],
    [1, ["gong: -o /dev/full: the disk is full (ENOSPC). Free some space, or name another file."]],
  )
})

test("whole texts are written to a descriptor; only a regular file is one", (t) => {
  const root = folder(t)
  const path = join(root, "a.txt")
  const fd = openSync(path, "w")
  assert.deepEqual([isFile(fd), isFile(9_999)], [true, false])
  writeToFile(fd, "é1\n")
  writeToFile(fd, "2\n")
  closeSync(fd)
  assert.equal(readFileSync(path, "utf8"), "é1\n2\n")
  const device = openSync("/dev/null", "w")
  assert.equal(isFile(device), false)
  closeSync(device)
  assert.equal(existsSync(path), true)
  const reading = openSync(path, "r")
  assert.throws(() => writeToFile(reading, "x"), { code: "EBADF" })
  closeSync(reading)
  const full = openSync("/dev/full", "w")
  assert.throws(() => writeToFile(full, "x"), { code: "ENOSPC" })
  closeSync(full)
})
