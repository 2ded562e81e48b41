import assert from "node:assert/strict"
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { linkText, moveAside, putFile, putLink, removeLink } from "../../../../src/host/sandbox/review/aside.ts"

test("a file, folder or link is renamed to the next free name", (t) => {
  const root = folder(t, { a: "1", "a.sandbox": "", "a.sandbox2": "", "d/x": "" })
  symlinkSync("/none", join(root, "l"))
  assert.equal(moveAside(join(root, "a")), join(root, "a.sandbox3"))
  assert.equal(readFileSync(join(root, "a.sandbox3"), "utf8"), "1")
  assert.equal(moveAside(join(root, "d")), join(root, "d.sandbox"))
  assert.equal(moveAside(join(root, "l")), join(root, "l.sandbox"))
  assert.equal(moveAside(join(root, "none")), null)
  assert.equal(moveAside(join(root, "none/below")), null)
})

test("after a hundred taken names the name is unpredictable", (t) => {
  const taken = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`a.sandbox${at === 0 ? "" : at + 1}`, ""]))
  const free = folder(t, { a: "", ...taken(99) })
  assert.equal(moveAside(join(free, "a")), join(free, "a.sandbox100"))
  const full = folder(t, { a: "", ...taken(100) })
  assert.match(moveAside(join(full, "a")) ?? "", /\/a\.sandbox\d{4,}$/)
})

test("a name of more than 200 bytes is shortened to 50 characters", (t) => {
  const [fits, long] = ["n".repeat(200), `${"\u{1f600}".repeat(50)}n`]
  const root = folder(t, { [fits]: "", [long]: "" })
  assert.equal(moveAside(join(root, fits)), join(root, `${fits}.sandbox`))
  assert.equal(moveAside(join(root, long)), join(root, `${"\u{1f600}".repeat(50)}.sandbox`))
})

test("only a link is removed or read; a link is created where nothing is", (t) => {
  const root = folder(t, { a: "1" })
  const link = join(root, "l")
  putLink(link, "a")
  assert.deepEqual([readlinkSync(link), linkText(link), linkText(join(root, "a"))], ["a", "a", null])
  putLink(join(root, "a"), "x")
  assert.ok(lstatSync(join(root, "a")).isFile())
  assert.deepEqual([removeLink(link), removeLink(link), removeLink(join(root, "a"))], [true, false, false])
  assert.equal(existsSync(join(root, "a")), true)
})

test("a file is created with its mode, and replaces one only if it may", (t) => {
  const root = folder(t, { a: "old" })
  const path = join(root, "a")
  const bytes = Buffer.from("new")
  assert.equal(putFile(path, bytes, { mode: 0o755, over: false }), false)
  assert.equal(readFileSync(path, "utf8"), "old")
  assert.equal(putFile(path, bytes, { mode: 0o777, over: true }), true)
  assert.deepEqual([readFileSync(path, "utf8"), statSync(path).mode & 0o777], ["new", 0o777])
  assert.equal(putFile(join(root, "b"), bytes, { mode: 0o600, over: true }), false)
  assert.equal(putFile(join(root, "b"), bytes, { mode: 0o600, over: false }), true)
  assert.equal(statSync(join(root, "b")).mode & 0o777, 0o600)
})
