import assert from "node:assert/strict"
import { test } from "node:test"
import { strayOf } from "../../src/encoding/codec.ts"
import { doubleByte, type DoubleByteName } from "../../src/encoding/double-byte.ts"
import { singleByte } from "../../src/encoding/single-byte.ts"

const names = ["gb18030", "big5", "shift_jis", "euc-kr"] as const

/** Every seventh byte pair that the decoder reads as one character, with that character. */
function pairs(name: DoubleByteName): readonly (readonly [bytes: Uint8Array, character: string])[] {
  const decoder = new TextDecoder(name, { ignoreBOM: true })
  const found: [Uint8Array, string][] = []
  for (let code = 0x8000; code <= 0xffff; code += 7) {
    const bytes = Uint8Array.of(code >> 8, code & 0xff)
    const text = decoder.decode(bytes)
    if ([...text].length === 1 && text !== "\ufffd") found.push([bytes, text])
  }
  return found
}

test("every two-byte character round-trips, or is refused if it has two codes", () => {
  for (const name of names) {
    const codec = doubleByte(name)
    const all = pairs(name)
    let refused = 0
    for (const [bytes, character] of all) {
      const encoded = codec.encode(character)
      if (!encoded.ok) refused++
      if (!encoded.ok) assert.equal(encoded.twice, true, character)
      else if (name !== "gb18030" || bytes[0] !== 0xa3 || bytes[1] !== 0xa0)
        assert.deepEqual([...encoded.bytes], [...bytes], `${name} ${character}`)
    }
    assert.ok(all.length > 800 && refused < all.length / 10, `${name}: ${refused} of ${all.length}`)
  }
})

test("each invalid byte is one stray, and text offsets map back to bytes", () => {
  const rows: readonly (readonly [DoubleByteName, readonly number[], string, readonly number[]])[] = [
    ["gb18030", [0x61, 0xff, 0xd6, 0xd0, 0x7a], `a${strayOf(0xff)}中z`, [0, 1, 2, 4, 5]],
    ["gb18030", [0xff, 0x90, 0x30, 0x81, 0x30, 0x61], `${strayOf(0xff)}\u{10000}a`, [0, 1, -1, 5, 6]],
    ["gb18030", [0xff, 0x81, 0x30, 0x81, 0x30, 0x61], `${strayOf(0xff)}\x80a`, [0, 1, 5, 6]],
    ["gb18030", [0x61, 0xd6], `a${strayOf(0xd6)}`, [0, 1, 2]],
    ["gb18030", [0x90, 0x30, 0x81], `${strayOf(0x90)}0${strayOf(0x81)}`, [0, 1, 2, 3]],
    ["gb18030", [0x90, 0x3a, 0x61], `${strayOf(0x90)}:a`, [0, 1, 2, 3]],
    ["gb18030", [0x90, 0x2f, 0x61], `${strayOf(0x90)}/a`, [0, 1, 2, 3]],
    ["gb18030", [0xff, 0x80], `${strayOf(0xff)}€`, [0, 1, 2]],
    ["shift_jis", [0xff, 0xb1, 0x82, 0xa0], `${strayOf(0xff)}ｱあ`, [0, 1, 2, 4]],
    ["big5", [0xa4, 0x20, 0xa4, 0xa4, 0x61], `${strayOf(0xa4)} 中a`, [0, 1, 2, 4, 5]],
    ["euc-kr", [0xff, 0xb0, 0xa1], `${strayOf(0xff)}가`, [0, 1, 3]],
  ]
  for (const [name, list, text, places] of rows) {
    const bytes = Uint8Array.from(list)
    const codec = doubleByte(name)
    assert.equal(codec.decode(bytes), text, name)
    const found = Array.from({ length: text.length + 1 }, (_, to) => codec.byteOf(bytes, 0, text, 0, to))
    assert.deepEqual(found, places, `${name} ${Buffer.from(bytes).toString("hex")}`)
    assert.equal(codec.byteOf(bytes, places[1] ?? 0, text, 1, text.length), bytes.length)
    assert.equal(codec.unit, 1)
  }
})

test("gb18030 writes four bytes where two do not suffice, and no half characters", () => {
  const codec = doubleByte("gb18030")
  const bytesOf = (text: string) => {
    const encoded = codec.encode(text)
    return encoded.ok ? Buffer.from(encoded.bytes).toString("hex") : encoded
  }
  const strict = new TextDecoder("gb18030", { fatal: true })
  for (const character of [
    "\x80",
    "\u00a5",
    "\u0452",
    "\u200f",
    "\u{10000}",
    "\u{1f600}",
    "\u{10ffff}",
    "\uffff",
    "\u9fff",
  ]) {
    const encoded = codec.encode(character)
    assert.ok(encoded.ok && encoded.bytes.length === 4, character.codePointAt(0)?.toString(16))
    assert.equal(strict.decode(encoded.bytes), character)
  }
  assert.equal(bytesOf("\u{10000}"), "90308130")
  assert.equal(bytesOf("\u{10ffff}"), "e3329a35")
  assert.equal(bytesOf("\x80"), "81308130")
  assert.equal(bytesOf("a中"), "61d6d0")
  assert.deepEqual(bytesOf("a\ud800"), { ok: false, character: "\ud800", twice: false })
  assert.deepEqual(bytesOf("\udfff"), { ok: false, character: "\udfff", twice: false })
  assert.equal(bytesOf("€"), "a2e3")
  assert.equal(bytesOf("\u3000"), "a1a1")
})

test("unsupported and ambiguous characters are named", () => {
  assert.deepEqual(doubleByte("euc-kr").encode("a😀"), { ok: false, character: "😀", twice: false })
  assert.deepEqual(doubleByte("shift_jis").encode("ｱ"), { ok: true, bytes: Uint8Array.of(0xb1) })
  assert.deepEqual(doubleByte("shift_jis").encode("∪"), { ok: false, character: "∪", twice: true })
})

test("windows-1252 has one byte per character", () => {
  const codec = singleByte("windows-1252")
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const text = codec.decode(bytes)
  assert.deepEqual(codec.encode(text), { ok: true, bytes })
  assert.deepEqual(codec.encode("é中"), { ok: false, character: "中", twice: false })
  assert.deepEqual([codec.unit, codec.byteOf(bytes, 3, text, 3, 8)], [1, 8])
})
