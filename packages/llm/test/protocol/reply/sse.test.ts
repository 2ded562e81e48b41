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

test("an event is the same wherever its bytes are cut, also inside a character and with nothing between", () => {
  // The dash has the byte 0x80 in its middle, the least one that is no character by itself.
  const whole = bytes("data: 工 é 🙂 —\n\ndata: plain\n\n")
  for (let at = 0; at <= whole.length; at++)
    assert.deepEqual(read(whole.subarray(0, at), new Uint8Array(), whole.subarray(at)), ["工 é 🙂 —", "plain"], `${at}`)
  assert.deepEqual(read(...Array.from(whole, (byte) => Uint8Array.of(byte))), ["工 é 🙂 —", "plain"])
})

test("a mark at the beginning is no part of the first field, and one inside a text stays", () => {
  assert.deepEqual(read(bytes("\uFEFFdata: a\n\n"), bytes("data: \uFEFFb\n\n")), ["a", "\uFEFFb"])
  assert.deepEqual(read(bytes("data: a\n\n"), bytes("data: b\n\n")), ["a", "b"])
  // A piece that begins with the mark lost it while each piece was decoded as if it were the first.
  assert.deepEqual(read(bytes("data: a"), bytes("\uFEFFb\n\n")), ["a\uFEFFb"])
})

test("a character that the end cuts off becomes the sign for one that is missing", () => {
  assert.deepEqual(read(bytes("data: a"), Uint8Array.of(0xe5, 0xb7)), ["a\uFFFD"])
})
