import assert from "node:assert/strict"
import { test } from "node:test"
import { truncate, table } from "../src/table.ts"

test("columns are aligned, also after wide, joined and combining characters", () => {
  const rows = [
    [{ text: "a" }, { text: "9", right: true as const }, { text: "x" }],
    [{ text: "修复" }, { text: "1234", right: true as const }, { text: "y" }],
    [{ text: "e\u0301" }, { text: "", right: true as const }, { text: "👩‍👩‍👧" }],
  ]
  assert.deepEqual(table(rows), ["a        9  x", "修复  1234  y", "e\u0301           👩‍👩‍👧"])
  assert.deepEqual(table([]), [])
})

test("dangerous characters stay in their cell", () => {
  assert.deepEqual(table([[{ text: "a\nb\u001b[2J" }, { text: "c" }]]), ["a b␛[2J  c"])
})

test("a text is truncated at the column limit, never inside a character", () => {
  assert.equal(truncate("short", 5), "short")
  assert.equal(truncate("longer", 5), "long…")
  assert.equal(truncate("修复会话", 5), "修复…")
  assert.equal(truncate("修复会话", 6), "修复…")
  assert.equal(truncate("👩‍👩‍👧👩‍👩‍👧", 3), "👩‍👩‍👧…")
  assert.equal(truncate("two\nlines", 20), "two lines")
})
