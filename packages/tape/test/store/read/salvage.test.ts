import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import { type Crc32, lineOf } from "../../../src/line.ts"
import { crc32 } from "../../../src/store/artifacts/digest.ts"
import { salvage } from "../../../src/store/read/salvage.ts"

const head = { parentId: null, type: "custom", timestamp: "t", customType: "x" }
const line = (id: string, data: unknown = ""): string =>
  Buffer.from(lineOf({ id, ...head, data } as Entry, crc32))
    .toString()
    .trimEnd()

const one = line("a00000000001")
const two = line("a00000000002", "more")

/** The entries in a line, as stored. */
function found(text: string, sum: Crc32 = crc32): readonly string[] {
  const bytes = Buffer.from(`before\n${text}\nbehind${one}`, "latin1")
  return salvage(bytes, 7, 7 + text.length, sum).map(({ from, to }) => bytes.toString("latin1", from, to))
}

test("complete entries are found between NUL bytes, after torn ones and after each other", () => {
  const torn = one.slice(0, -1)
  for (const [text, entries] of [
    [one, [one]],
    [`\0\0${one}\0`, [one]],
    [`${one}${two}${one}`, [one, two, one]],
    [`${torn}${two}`, [two]],
    [`${torn}${torn}${two}x${one}`, [two, one]],
    [`{"id":"{"id":"${two}`, [two]],
    [torn, []],
    [`${one.slice(0, -1)}]`, []],
    ["", []],
  ] as const)
    assert.deepEqual(found(text), entries, text)
})

test("a checksum field in a body is skipped, and an entry in the body of a complete one does not count", () => {
  const sealed = JSON.parse(two) as object
  const outer = line("a00000000003", [{ crc: "00000000" }, sealed])
  assert.ok(outer.includes(two))
  assert.deepEqual(found(`x${outer}${one}`), [outer, one])
})

/** How many bytes were hashed. */
function counting() {
  let hashed = 0
  const sum: Crc32 = (bytes, before) => {
    hashed += bytes.length
    return crc32(bytes, before)
  }
  return { sum, hashed: () => hashed }
}

/** It resembles the start of an entry, with an invalid seal. */
const lure = `{"id":"a00000000009","parentId":null,"type":"x","timestamp":"t","crc":"00000000"}`

test("no line makes it hash more than eight times its bytes and 64 K", () => {
  const { sum, hashed } = counting()
  const text = `${lure.repeat(1500)}${one}`
  assert.deepEqual(found(text, sum), [])
  const bound = 8 * text.length + 65_536
  assert.ok(hashed() <= bound && hashed() > bound - 4 * lure.length, `${hashed()} of ${bound}`)
})

test("within that bound every whole entry is found, however many there are and wherever they stand", () => {
  assert.equal(found(one.repeat(150)).length, 150)
  const { sum, hashed } = counting()
  assert.equal(found(`${"x".repeat(60_000)}${lure.repeat(20)}${one}`, sum).length, 1)
  assert.ok(hashed() < 60_000)
})
