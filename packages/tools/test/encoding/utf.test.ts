import assert from "node:assert/strict"
import { test } from "node:test"
import { insidePair, shown, strayOf } from "../../src/encoding/codec.ts"
import { utf16be, utf16le, utf16Of } from "../../src/encoding/utf16.ts"
import { endOfUtf8, exactUtf8, isContinuation, isUtf8, utf8, utf8Length } from "../../src/encoding/utf8.ts"

/** Both sides of every boundary in the table of well-formed UTF-8 (Unicode, table 3-7). */
const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee]
const leads = [...edges, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff]

test("UTF-8 character lengths agree with the platform's decoder at every boundary", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const isCharacter = (bytes: Uint8Array) => {
    try {
      return [...strict.decode(bytes)].length === 1
    } catch {
      return false
    }
  }
  const seconds = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]
  for (const lead of leads)
    for (const second of seconds)
      for (const last of [0x7f, 0x80, 0xbf, 0xc0]) {
        const bytes = Uint8Array.of(0x61, lead, second, last, 0x80)
        const length = [1, 2, 3, 4].find((size) => isCharacter(bytes.subarray(1, 1 + size))) ?? 0
        assert.equal(utf8Length(bytes, 1), length, Buffer.from(bytes).toString("hex"))
        const cut = bytes.subarray(0, 3)
        const short = [1, 2].find((size) => isCharacter(cut.subarray(1, 1 + size))) ?? 0
        assert.equal(utf8Length(cut, 1), short, Buffer.from(cut).toString("hex"))
      }
  assert.deepEqual([0x7f, 0x80, 0xbf, 0xc0, undefined].map(isContinuation), [false, true, true, false, false])
})

test("an incomplete character at the end is left out", () => {
  for (const character of ["a", "ü", "€", "😀"]) {
    const bytes = Buffer.from(`x${character}`)
    for (let length = 1; length <= bytes.length; length++)
      assert.equal(endOfUtf8(bytes.subarray(0, length)), length === bytes.length ? length : 1, `${character} ${length}`)
    assert.equal(endOfUtf8(bytes.subarray(1, -1)), 0, character)
  }
  assert.equal(endOfUtf8(Buffer.alloc(0)), 0)
  assert.equal(endOfUtf8(Buffer.from([0x61, 0x80])), 2)
  assert.equal(endOfUtf8(Buffer.from([0xf0, 0x80, 0x80, 0x80, 0x80])), 5)
  assert.equal(endOfUtf8(Buffer.from([0xf0, 0x9f, 0x98, 0x80, 0x80])), 5)
})

test("a large text is valid UTF-8 also if blocks end inside a character, but not with an incomplete one at its end", () => {
  const text = Buffer.from("€".repeat(60_000))
  for (const offset of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.from("a".repeat(offset)), text])
    assert.equal(isUtf8(bytes), true)
    assert.equal(isUtf8(bytes.subarray(0, -1)), false)
    const broken = Buffer.from(bytes)
    broken[140_000] = 0xff
    assert.equal(isUtf8(broken), false)
  }
  assert.equal(isUtf8(Buffer.alloc(0)), true)
  assert.equal(exactUtf8(Buffer.from("\ufeffa")), "\ufeffa")
})

test("each byte of invalid UTF-8 is one stray, and text offsets map back to bytes", () => {
  const bytes = Buffer.concat([Buffer.from("aü"), Buffer.from([0xff, 0xe2, 0x82]), Buffer.from("😀z")])
  const text = `aü${strayOf(0xff)}${strayOf(0xe2)}${strayOf(0x82)}😀z`
  assert.equal(utf8.decode(bytes), text)
  const places = Array.from({ length: text.length + 1 }, (_, to) => utf8.byteOf(bytes, 0, text, 0, to))
  assert.deepEqual(places, [0, 1, 3, 4, 5, 6, -1, 10, 11])
  assert.equal(utf8.byteOf(bytes, 3, text, 2, 5), 6)
  assert.equal(shown(text), "aü\ufffd\ufffd\ufffd😀z")
  assert.deepEqual(
    [insidePair("😀", 0), insidePair("😀", 1), insidePair("a😀", 1), insidePair("\udc00", 0)],
    [false, true, false, false],
  )
  assert.equal(insidePair("a\udc00", 1), false)
  assert.equal(utf8.unit, 1)
})

const le = (text: string) => Buffer.from(text, "utf16le")
const be = (text: string) => Buffer.from(text, "utf16le").swap16()

test("UTF-16 is detected by its mark, or by the zeros of sufficient ASCII", () => {
  const han = (count: number) => "中".repeat(count)
  const rows: readonly (readonly [Uint8Array, ReturnType<typeof utf16Of>])[] = [
    [le("\ufeffa"), { encoding: "utf-16le", mark: 2 }],
    [be("\ufeffa"), { encoding: "utf-16be", mark: 2 }],
    [le("\ufeff中"), { encoding: "utf-16le", mark: 2 }],
    [le(`a${han(4)}`), { encoding: "utf-16le", mark: 0 }],
    [be(`a${han(4)}`), { encoding: "utf-16be", mark: 0 }],
    [le(`a${han(5)}`), null],
    [be(`a${han(5)}`), null],
    [le(han(9)), null],
    [le("a~\t"), { encoding: "utf-16le", mark: 0 }],
    [Buffer.concat([le("abc"), Buffer.from([0x61])]), { encoding: "utf-16le", mark: 0 }],
    [le("a\r\n\f\t"), { encoding: "utf-16le", mark: 0 }],
    [le("ab\x01"), null],
    [le("\ufeffab\x01"), null],
    [be("\ufeffab\x01"), null],
    [le("ab\x7f"), null],
    [le("ab\uffff"), null],
    [le("ab\ufffe"), null],
    [le("ab\ud800b"), null],
    [le("ab\ud83d"), { encoding: "utf-16le", mark: 0 }],
    [Buffer.from([0xff, 0xfe]), { encoding: "utf-16le", mark: 2 }],
    [Buffer.alloc(0), null],
    [Buffer.from("ascii"), null],
    [Buffer.from([0]), null],
    [Buffer.from("a\0\0\0b\0\0\0"), null],
    [Buffer.concat([le("\ufeff".padEnd(4096, "a")), le("\x01")]), { encoding: "utf-16le", mark: 2 }],
    [Buffer.concat([le("\ufeff".padEnd(4095, "a")), le("\x01")]), null],
  ]
  for (const [bytes, found] of rows)
    assert.deepEqual(utf16Of(bytes), found, Buffer.from(bytes.subarray(0, 20)).toString("hex"))
})

test("UTF-16 text and bytes round-trip in both byte orders, and offsets inside a character are invalid", () => {
  const text = "a😀中"
  for (const [codec, bytes] of [
    [utf16le, le(text)],
    [utf16be, be(text)],
  ] as const) {
    assert.equal(codec.decode(bytes), text)
    assert.equal(codec.decode(Buffer.concat([bytes, Buffer.from([1])])), text)
    assert.deepEqual(codec.encode(text), { ok: true, bytes })
    assert.equal(codec.unit, 2)
    const places = Array.from({ length: 5 }, (_, to) => codec.byteOf(bytes, 0, text, 0, to))
    assert.deepEqual(places, [0, 2, -1, 6, 8])
    assert.equal(codec.byteOf(bytes, 6, text, 3, 4), 8)
  }
})
