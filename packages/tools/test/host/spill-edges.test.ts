import assert from "node:assert/strict"
import { readdirSync, readlinkSync } from "node:fs"
import { dirname } from "node:path"
import { tmpdir } from "node:os"
import { test } from "node:test"
import { openSpill, temporarySpillPath } from "../../src/host/spill.ts"
import { place } from "../workspace.ts"

test("the temporary file of an output is in the temporary folder, with another name each time", () => {
  const [one, other] = [temporarySpillPath(), temporarySpillPath()]
  assert.equal(dirname(one), tmpdir())
  assert.match(one, /\/gong-bash-[0-9a-f-]{36}\.log$/)
  assert.notEqual(one, other)
})

test("of an odd limit the head gets one byte more; bytes of the tail wait until the end", (t) => {
  const here = place(t)
  for (const [written, waiting, leftOut, text] of [
    ["abc", 0, 0, "abc"],
    ["abcd", 1, 0, "abcd"],
    ["abcde", 2, 0, "abcde"],
    ["abcdef", 3, 1, "abc\n[... 1 bytes left out ...]\nef"],
    ["abcdefg", 4, 2, "abc\n[... 2 bytes left out ...]\nfg"],
  ] as const) {
    const spill = openSpill(here.at("s.log"), 5)
    assert.equal(spill.path, here.at("s.log"))
    spill.add(Buffer.from(written))
    assert.equal(spill.waiting(), waiting)
    assert.deepEqual([spill.end(), spill.end()], [leftOut, leftOut])
    assert.equal(here.text("s.log"), text)
  }
})

test("no file stays open after the end", { skip: process.platform === "linux" ? false : "no /proc" }, (t) => {
  const path = place(t).at("s.log")
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path)
      } catch {
        return false
      }
    }).length
  const spill = openSpill(path, 4)
  spill.add(Buffer.from("abcdefgh"))
  assert.equal(openFiles(), 2)
  spill.end()
  assert.equal(openFiles(), 0)
  openSpill(path, 4).discard()
  assert.equal(openFiles(), 0)
})
