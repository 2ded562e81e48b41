import assert from "node:assert/strict"
import { test } from "node:test"
import { readSse } from "../../../src/protocol/reply/sse.ts"

function read(...pieces: readonly Uint8Array[]): readonly string[] {
  const got: string[] = []
  const reader = readSse((data) => got.push(data))
  for (const piece of pieces) reader.feed(piece)
  reader.end()
  return got
}

const bytes = (text: string) => new TextEncoder().encode(text)

test("an event is the same in any chunks, also cut inside a character and with empty chunks", () => {
  // The dash contains the byte 0x80, the smallest one that is not a character by itself.
  const whole = bytes("data: 工 é 🙂 —\n\ndata: plain\n\n")
  for (let at = 0; at <= whole.length; at++)
    assert.deepEqual(read(whole.subarray(0, at), new Uint8Array(), whole.subarray(at)), ["工 é 🙂 —", "plain"], `${at}`)
  assert.deepEqual(read(...Array.from(whole, (byte) => Uint8Array.of(byte))), ["工 é 🙂 —", "plain"])
})

test("a byte order mark at the beginning is skipped, and one inside a text stays", () => {
  assert.deepEqual(read(bytes("\uFEFFdata: a\n\n"), bytes("data: \uFEFFb\n\n")), ["a", "\uFEFFb"])
  assert.deepEqual(read(bytes("data: a\n\n"), bytes("data: b\n\n")), ["a", "b"])
  // A chunk that began with the mark lost it while each chunk was decoded as the first.
  assert.deepEqual(read(bytes("data: a"), bytes("\uFEFFb\n\n")), ["a\uFEFFb"])
})

test("a character that is cut off at the end becomes a replacement character", () => {
  assert.deepEqual(read(bytes("data: a"), Uint8Array.of(0xe5, 0xb7)), ["a\uFFFD"])
})

test("the unread rest is what follows the last data, without the fields of the protocol", () => {
  const reader = readSse(() => undefined)
  reader.feed(
    bytes("error: early\ndata: a\n\nevent: x\nid: 1\nretry: 5\n: a comment\n\nerror: overloaded\nPlain words"),
  )
  assert.equal(reader.unread(), "error: overloaded\nPlain words")
})

test("of the unread rest the last 65,536 characters are kept, from the beginning of a line on", () => {
  const long = `skipped: ${"a".repeat(70_000)}\n`
  const unread = (...pieces: readonly string[]) => {
    const reader = readSse(() => undefined)
    for (const piece of pieces) reader.feed(bytes(piece))
    return reader.unread()
  }
  assert.equal(unread("first\n", "second"), "first\nsecond")
  assert.equal(unread(long, "error"), `${long}error`)
  assert.equal(unread(long, long, "error"), "error")
  assert.equal(unread("data: a\n\n", "rest"), "rest")
})
