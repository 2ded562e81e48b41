import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { collectFullOutput } from "../../../src/bash/output/full-output.ts"
import { tailBuffer, headAndTailBuffer } from "../../../src/bash/output/head-and-tail.ts"
import { createRollingBuffer } from "../../../src/bash/output/rolling-buffer.ts"
import { wholeCharacters } from "../../../src/bash/output/whole-characters.ts"
import { place } from "../../workspace.ts"

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test("the newest bytes are kept for any chunk sizes, starting at a character", () => {
  for (const capacity of [4, 7, 10])
    for (const size of [1, 2, 3, 5, 9, 30]) {
      const rolling = createRollingBuffer(capacity)
      const all = "abcdefghijklmnopqrstuvwxyz0123"
      for (let at = 0; at < all.length; at += size) {
        rolling.add(Buffer.from(all.slice(at, at + size)))
        const come = all.slice(0, at + size)
        assert.equal(text(rolling.newest()), come.slice(-capacity), `${capacity} ${size} ${at}`)
        assert.equal(rolling.total(), come.length)
      }
      assert.equal(rolling.text(), all.slice(-capacity))
      rolling.clear()
      assert.deepEqual([rolling.total(), rolling.newest().length, rolling.text()], [0, 0, ""])
    }
  const wide = createRollingBuffer(6)
  wide.add(Buffer.from("€€"))
  assert.equal(text(wide.newest()), "€€")
  wide.add(Buffer.from("a"))
  assert.equal(text(wide.newest()), "€a")
  const strays = createRollingBuffer(6)
  strays.add(Buffer.from([0x80, 0x80, 0x80, 0x80]))
  assert.equal(strays.newest().length, 4, "nothing was cut")
  strays.add(Buffer.from([0x80, 0x80, 0x80]))
  assert.equal(strays.newest().length, 3)
  const large = createRollingBuffer(5000)
  large.add(Buffer.from("x".repeat(1500)))
  large.add(Buffer.from("y".repeat(2500)))
  assert.equal(text(large.newest()), "x".repeat(1500) + "y".repeat(2500))
})

test("a long output shows head and tail, with the number of omitted bytes between", () => {
  const ends = headAndTailBuffer(10)
  const shownOf = (...pieces: readonly string[]) => {
    ends.clear()
    for (const piece of pieces) ends.add(Buffer.from(piece))
    const { truncation, middle } = ends.shown()
    return [truncation.content, middle, truncation.truncatedBy]
  }
  assert.deepEqual(shownOf("0123456789"), ["0123456789", 0, null])
  assert.deepEqual(shownOf("01234", "56789"), ["0123456789", 0, null])
  assert.deepEqual(shownOf("0123", "4567", "89"), ["0123456789", 0, null])
  assert.deepEqual(shownOf("0123456789a"), ["01234\n[... 1 bytes left out ...]\n6789a", 1, "bytes"])
  assert.deepEqual(shownOf("012€456789"), ["012\n[... 4 bytes left out ...]\n56789", 4, "bytes"])
  assert.deepEqual(shownOf("0123€", "4"), ["0123€4", 0, null])
  assert.deepEqual(shownOf("0123€", "4", "56789"), ["0123\n[... 4 bytes left out ...]\n56789", 4, "bytes"])
  assert.deepEqual(shownOf("a\nb\n", "c\nd"), ["a\nb\nc\nd", 0, null])
  const { truncation } = ends.shown()
  assert.deepEqual(
    [truncation.outputLines, truncation.totalBytes, truncation.truncated, truncation.maxBytes],
    [4, 7, false, 10],
  )
  const end = tailBuffer(2, 100)
  end.add(Buffer.from("a\nb\nc\n"))
  assert.deepEqual([end.shown().truncation.content, end.shown().middle], ["b\nc\n", 0])
  end.clear()
  assert.equal(end.shown().truncation.content, "")
})

test("a stream in chunks is cut at character boundaries, and stray continuation bytes are invalid", () => {
  const bytes = Buffer.from("aé€😀z")
  for (let first = 0; first <= bytes.length; first++)
    for (let second = first; second <= bytes.length; second++) {
      const whole = wholeCharacters()
      const cuts = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
      const pieces = cuts.flatMap((piece) => whole.of(piece).map((part) => Buffer.from(part)))
      assert.equal(pieces.map(text).join(""), "aé€😀z", `${first} ${second}`)
      assert.equal(whole.rest().length, 0)
    }
  const strays = wholeCharacters()
  assert.equal(
    strays
      .of(Buffer.from([0x80, 0x80, 0x61]))
      .map(text)
      .join(""),
    "\ufffd\ufffda",
  )
  assert.equal(
    strays
      .of(Buffer.from([0xe2, 0x82]))
      .map(text)
      .join(""),
    "",
  )
  assert.deepEqual([...strays.rest()], [0xe2, 0x82])
  assert.equal(strays.rest().length, 0)
  strays.of(Buffer.from([0xe2]))
  assert.equal(Buffer.concat(strays.of(Buffer.from("b"))).length, 2)
})

test("output goes to a file above the limit, or on request", async (t) => {
  const here = place(t)
  let made = 0
  const kept = () => collectFullOutput(4, async () => here.at(`spill${made++}`))
  const small = kept()
  small.add(Buffer.from("1234"))
  assert.deepEqual(await small.end(false), { leftOut: 0 })
  const large = kept()
  const lent = Buffer.from("1234")
  large.add(lent)
  lent.fill(0)
  large.add(Buffer.from("5"))
  const { path = "", leftOut } = await large.end(false)
  assert.deepEqual([readFileSync(path, "utf8"), leftOut, made], ["12345", 0, 1])
  const needed = kept()
  needed.add(Buffer.from("1"))
  const file = await needed.end(true)
  assert.equal(readFileSync(file.path ?? "", "utf8"), "1")
  const gone = kept()
  gone.add(Buffer.from("12345"))
  const { path: left = "" } = await gone.look(false)
  await gone.discard()
  assert.deepEqual([existsSync(left), left === ""], [false, false])
})

test("a disk error is reported with its code and does not end the command", async (t) => {
  const here = place(t)
  const refused = collectFullOutput(0, async () => here.at("no/such/folder"))
  refused.add(Buffer.from("1"))
  assert.deepEqual(await refused.end(false), { unsaved: "ENOENT", leftOut: 0 })
  refused.add(Buffer.from("2"))
  assert.deepEqual(await refused.look(true), { unsaved: "ENOENT", leftOut: 0 })
  const failing = collectFullOutput(0, () => Promise.reject(new Error("no")))
  failing.add(Buffer.from("1"))
  assert.deepEqual(await failing.end(false), { unsaved: "the disk refused it", leftOut: 0 })
})
