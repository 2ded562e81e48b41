import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { revertChange } from "../../src/changes/merge.ts"

const bytes = (text: string) => Buffer.from(text, "latin1")
const numbers = (count: number, mark = "") => Array.from({ length: count }, (_, at) => `${mark}${at}\n`).join("")

/** The merged text, or why there is none. */
function reverted(left: string, before: string, now: string): string {
  const merged = revertChange({ left: bytes(left), before: bytes(before), now: bytes(now) })
  return merged.ok ? Buffer.from(merged.bytes).toString("latin1") : `: ${englishOf(merged.reason)}`
}

test("the session's change is reverted, and changes by others stay where they do not touch it", () => {
  const since = "it was changed by someone else since, where the session had changed it"
  for (const [left, before, now, expected] of [
    ["A\nb\nc\n", "a\nb\nc\n", "A\nb\nC\n", "a\nb\nC\n"],
    ["a\nX\nb\nc\nd\n", "a\nb\nc\nd\n", "a\nX\nb\nc\nD\n", "a\nb\nc\nD\n"],
    ["a\nc\nd\n", "a\nb\nc\nd\n", "0\na\nc\nd\n", "0\na\nb\nc\nd\n"],
    ["a", "b", "a", "b"],
    ["a\n", "a", "a\n", "a"],
    ["a\xe9\r\nb\nc\n", "a\xe9\r\nB\nc\n", "\xff\na\xe9\r\nb\nc\n", "\xff\na\xe9\r\nB\nc\n"],
    ["A\n", "a\n", "x\n", `: ${since}: line 1`],
    ["b\nA\n", "b\na\n", "b\nx\ny\n", `: ${since}: lines 2-3`],
    ["b\nA\nc\n", "b\na\nc\n", "b\nc\n", `: ${since}: behind line 1`],
    ["a\0", "a", "a", ": it is binary and was changed by someone else since"],
    ["a", "a\0", "a", ": it is binary and was changed by someone else since"],
    ["a", "a", "a\0", ": it is binary and was changed by someone else since"],
  ] as const)
    assert.equal(reverted(left, before, now), expected, JSON.stringify([left, before, now]))
})

test("a line of any length stays as it is", () => {
  for (const length of [8_191, 8_192, 8_193, 20_000]) {
    const long = "x".repeat(length)
    assert.equal(reverted(`A\n1\n2\n${long}\n`, `a\n1\n2\n${long}\n`, `A\n1\n2\n${long}\nb`), `a\n1\n2\n${long}\nb`)
  }
})

test("12,000 lines of the three versions are compared, without those that are equal at both ends", () => {
  const many = ": it was changed by someone else since, in too many lines to compare"
  const versions = (count: number) => [numbers(4_000, "a"), numbers(4_000, "b"), numbers(count, "c")] as const
  assert.match(reverted(...versions(4_000)), /^: it was changed by someone else since, where/)
  assert.equal(reverted(...versions(4_001)), many)
  const same = numbers(9_000, "s")
  assert.equal(reverted(`${same}A\nb\nc\n`, `${same}a\nb\nc\n`, `${same}A\nb\nC\n`), `${same}a\nb\nC\n`)
  const alike = (count: number, mark: string) => `${mark}0\n${"}\n".repeat(count)}${mark}1\n`
  assert.equal(reverted(alike(1_001, "a"), alike(1_000, "b"), alike(1, "c")), many)
  assert.equal(reverted(alike(1, "a"), alike(1_000, "b"), alike(1_001, "c")), many)
  assert.notEqual(reverted(alike(1_000, "a"), alike(1_000, "b"), alike(1, "c")), many)
})
