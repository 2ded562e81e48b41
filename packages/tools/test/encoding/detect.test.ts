import assert from "node:assert/strict"
import { test } from "node:test"
import { decodePart, readingOf } from "../../src/encoding/decode.ts"
import { detect } from "../../src/encoding/detect.ts"

const around = (...bytes: number[]) => Buffer.concat([Buffer.from("1 "), Buffer.from(bytes), Buffer.from(" 2")])

test("a lone windows-1252 sign identifies it; an undefined byte does not", () => {
  const signs = "80 85 91 92 93 94 95 96 97 a0 a1 a3 a7 a9 ab ae b0 b1 b2 b3 b5 b7 bb bf"
  const known = new Set(signs.split(" ").map((text) => Number.parseInt(text, 16)))
  for (let byte = 0x80; byte <= 0xbf; byte++)
    assert.equal(detect(around(byte)), known.has(byte) ? "windows-1252" : "unknown", byte.toString(16))
  for (let byte = 0xc0; byte <= 0xff; byte++) assert.equal(detect(around(byte)), "windows-1252", byte.toString(16))
})

test("two accented Latin letters count inside a word, and not between blanks", () => {
  assert.equal(detect(Buffer.from("cr\xe9\xe9e", "latin1")), "windows-1252")
  assert.equal(detect(Buffer.from("\xe9\xe9e", "latin1")), "windows-1252")
  assert.equal(detect(Buffer.from("cr\xe9\xe9", "latin1")), "windows-1252")
  assert.notEqual(detect(around(0xe9, 0xe9)), "windows-1252")
  for (const byte of [0x81, 0x8d, 0x8f, 0x90, 0x9d])
    assert.notEqual(detect(Buffer.from([0x61, byte, 0xe9, 0x61])), "windows-1252", byte.toString(16))
})

test("UTF-8 with as many invalid bytes as characters is still UTF-8, with one more it is not", () => {
  const umlaut = Buffer.from("ü")
  const mixed = (sequences: number, strays: number) =>
    Buffer.concat([
      ...Array.from({ length: sequences }, () => Buffer.concat([umlaut, Buffer.from(" ")])),
      ...Array.from({ length: strays }, () => Buffer.from([0xff, 0x20])),
    ])
  assert.equal(detect(mixed(2, 2)), "utf-8")
  assert.notEqual(detect(mixed(2, 3)), "utf-8")
  assert.notEqual(detect(mixed(0, 1)), "utf-8")
  assert.equal(detect(Buffer.from("ascii")), "unknown")
})

const encoded: Readonly<Record<string, string>> = {
  gb18030: "d6d0cec4b5c4b2e2cad4a3acd5e2cac7d2bbb8f6cec4bcfe",
  big5: "a4a4a4e5aabab4fab8d5a141b36fac4fa440ad",
  shift_jis: "82b182ea82cd93fa967b8cea82cc83658358836782c582b78142",
  "euc-kr": "c0ccb0cdc0ba20c7d1b1b9bef620c6c4c0cfc0d4b4cfb4d9",
}

test("a line of each East Asian encoding is detected anywhere in a large file", () => {
  const filler = Buffer.from("ascii only\n".repeat(8000))
  for (const [name, hex] of Object.entries(encoded)) {
    const line = Buffer.from(hex.length % 4 === 0 ? hex : hex.slice(0, -2), "hex")
    assert.equal(detect(line), name, name)
    assert.equal(detect(Buffer.concat([filler, line, Buffer.from("\n"), filler])), name, `${name} below`)
    assert.equal(detect(Buffer.concat([filler, Buffer.from("x"), line])), name, `${name} at the end`)
  }
})

test("an encoding is unknown if only a tenth of the characters are common in its language", () => {
  for (const [name, common, rare] of [
    ["gb18030", "d6d0", "e0e2"],
    ["big5", "a440", "a259"],
    ["shift_jis", "82a0", "88a0"],
    ["euc-kr", "b0a1", "a4a1"],
  ] as const) {
    const mixed = (others: number) => Buffer.from(common + rare.repeat(others), "hex")
    assert.deepEqual([detect(mixed(8)), detect(mixed(9))], [name, "unknown"])
  }
})

test("punctuation counts half for an encoding; other alphabets and private characters count against it", () => {
  const [common, rare, comma, privateUse, cyrillic] = ["d6d0", "e0e2", "a3ac", "aaa1", "a7d1"] as const
  const rows: readonly (readonly [part: string, count: number, other: string, most: number])[] = [
    [comma, 1, rare, 3],
    [comma, 2, rare, 7],
    [common, 5, privateUse, 4],
    [common, 6, privateUse, 4],
    [common, 2, cyrillic, 2],
    [common, 4, cyrillic, 5],
  ]
  for (const [part, count, other, most] of rows) {
    const mixed = (others: number) => Buffer.from(part.repeat(count) + other.repeat(others), "hex")
    assert.deepEqual(
      [detect(mixed(most)), detect(mixed(most + 1))],
      ["gb18030", "unknown"],
      `${count} ${part} ${other}`,
    )
  }
})

test("in a large file the first non-ASCII lines decide, up to a limit", () => {
  const western = Buffer.from("caf\xe9 \xe0 la carte\n".repeat(5000), "latin1")
  const chinese = Buffer.concat(Array.from({ length: 8000 }, () => Buffer.from(`${encoded["gb18030"]}0a`, "hex")))
  assert.equal(detect(Buffer.concat([western, chinese])), "windows-1252")
  assert.equal(detect(Buffer.concat([chinese, western])), "gb18030")
  assert.equal(detect(Buffer.from("caf\xe9 ".repeat(20_000), "latin1")), "windows-1252")
})

test("the text excludes the byte order mark, and an unknown encoding writes ASCII only", () => {
  const rows = [
    [Buffer.from("\ufeffa"), "utf-8-bom", 3],
    [Buffer.from("ü"), "utf-8", 0],
    [Buffer.from([0xef, 0xbb]), "windows-1252", 0],
    [Buffer.from("\ufeffa", "utf16le"), "utf-16le", 2],
    [Buffer.from("a", "utf16le"), "utf-16le", 0],
    [Buffer.from([0x81, 0x20]), "unknown", 0],
  ] as const
  for (const [bytes, encoding, mark] of rows) {
    const reading = readingOf(bytes)
    assert.deepEqual(
      [reading.mark, reading.encoding === encoding || encoding === "windows-1252"],
      [mark, true],
      encoding,
    )
  }
  const { codec } = readingOf(Buffer.from([0x81, 0x20]))
  assert.deepEqual(codec.encode("a\x7fü😀"), { ok: false, character: "ü", twice: false })
  assert.deepEqual(codec.encode("😀"), { ok: false, character: "😀", twice: false })
  assert.deepEqual(codec.encode("a\x7f"), { ok: true, bytes: Buffer.from("a\x7f") })
})

test("a part of a file is decoded by the preceding bytes, without an incomplete character at its end", () => {
  const text = (before: Uint8Array, bytes: Uint8Array, cut: boolean) => decodePart(before, bytes, cut)
  const none = Buffer.alloc(0)
  assert.deepEqual(text(none, Buffer.from("\ufeffü"), false), { encoding: "utf-8-bom", text: "ü" })
  assert.deepEqual(text(Buffer.from("a\n"), Buffer.from("\ufeffü"), false), { encoding: "utf-8", text: "\ufeffü" })
  assert.deepEqual(text(none, Buffer.from("aü").subarray(0, 2), true), { encoding: "utf-8", text: "a" })
  assert.notEqual(text(none, Buffer.from("aü").subarray(0, 2), false).encoding, "utf-8")
  const chinese = Buffer.from(encoded["gb18030"] ?? "", "hex")
  assert.equal(text(chinese, Buffer.from("ü"), false).encoding, "gb18030")
  assert.deepEqual(text(none, Buffer.concat([chinese, Buffer.from([0xff])]), false), {
    encoding: "gb18030",
    text: `${new TextDecoder("gb18030").decode(chinese)}\ufffd`,
  })
})
