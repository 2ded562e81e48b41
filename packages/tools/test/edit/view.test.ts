import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { viewOf } from "../../src/edit/view.ts"

/** How texts are encoded; the mark indicates UTF-16. */
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  "utf-8": (text) => Buffer.from(text),
  "utf-8-bom": (text) => Buffer.from(`\uFEFF${text}`),
  "utf-16le": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  "utf-16be": (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
}

/** Lines of any ending. U+0A0D and similar characters contain newline bytes in UTF-16, also across two characters. */
const few = ["\n", "\r\n", "\r", "a", "bc ", "é", "中", "😀", "\u0A0D", "\u0D0A", "\u0A0A", "\u0A0D\u0100\u0A0A"]
const piece = fc.constantFrom(...few, "word ".repeat(40))
const text = fc.array(piece, { maxLength: 400, size: "max" }).map((pieces) => `x${pieces.join("")}`)
const plain = (raw: string) => raw.replace(/\r\n?/g, "\n")

for (const [encoding, bytesOf] of Object.entries(encodings)) {
  const mark = bytesOf("").length
  /** Every offset between two characters, in text and in bytes. */
  const placesOf = (raw: string) => {
    let byte = mark
    let chars = 0
    let line = 0
    const places = [{ byte, line, before: "" }]
    for (const character of raw.match(/\r\n|[^]/gu) ?? []) {
      byte += bytesOf(character).length - mark
      chars += character.length
      if (/[\r\n]/.test(character)) line++
      places.push({ byte, line, before: raw.slice(0, chars) })
    }
    return places
  }

  test(`${encoding}: offsets map to line numbers, and lines to their start offsets`, () => {
    fc.assert(
      fc.property(text, (raw) => {
        const { lines, encoding: reported } = viewOf(bytesOf(raw))
        assert.equal(reported, encoding)
        const starts = new Map<number, number>()
        for (const { byte, line } of placesOf(raw)) {
          assert.equal(lines.at(byte), line)
          if (!starts.has(line)) starts.set(line, byte)
        }
        assert.equal(lines.count(), starts.size)
        for (const [line, start] of starts) assert.equal(lines.start(line), start)
      }),
      { numRuns: 20 },
    )
  })

  test(`${encoding}: a part is the text between two cuts, and its offsets map back to bytes`, () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat({ max: 5 }), fc.nat({ max: 5 }), (raw, at, above, below) => {
        const view = viewOf(bytesOf(raw))
        const places = placesOf(raw)
        const { byte } = places[at % places.length] ?? assert.fail()
        const from = view.cutAbove(byte, above)
        const to = view.cutBelow(byte, below)
        const inside = places.filter((place) => place.byte >= from && place.byte <= to)
        const begin = inside[0]?.before ?? assert.fail()
        const part = view.part(from, to)
        assert.equal(part.text, plain((inside.at(-1)?.before ?? "").slice(begin.length)))
        for (const { byte: wanted, before } of inside)
          assert.equal(part.byteOf(plain(before.slice(begin.length)).length), wanted)
        // This many `\n` are between, or the text ends.
        const count = (some: string) => some.split("\n").length - 1
        const here = places.find((place) => place.byte === byte)?.before ?? assert.fail()
        assert.equal(count(here) - count(begin), Math.min(above, count(here)))
        if (to !== view.end) assert.equal(count(inside.at(-1)?.before ?? "") - count(here), below)
      }),
      { numRuns: 40 },
    )
  })
}
