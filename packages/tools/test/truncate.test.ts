import assert from "node:assert/strict"
import { test } from "node:test"
import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  formatSize,
  GREP_MAX_LINE_LENGTH,
  truncateHead,
  truncateLine,
  truncateStringToBytesFromEnd,
  truncateTail,
} from "../src/index.ts"
import { lines } from "./workspace.ts"

/** All lines differ, so head and tail can be told apart. */
const kilobyte = (line: number) => String(line).padStart(1023, "x")
const kilobyteLines = lines(100, kilobyte)

test("[TRUNC-1.1] ten lines come back unchanged from the head", () => {
  const text = lines(10, () => "123456789")
  const cut = truncateHead(text)
  assert.equal(text.length, 100)
  assert.equal(cut.content, text)
  assert.equal(cut.truncated, false)
  assert.equal(cut.truncatedBy, null)
})

test("[TRUNC-1.2] [TRUNC-S.13] the head keeps the first 2000 of 2500 lines and names the next line", () => {
  const cut = truncateHead(lines(2500), { maxLines: 2000 })
  assert.equal(cut.content, lines(2000).trimEnd())
  assert.equal(cut.truncatedBy, "lines")
  assert.equal(cut.outputLines, 2000)
  assert.equal(cut.totalLines, 2500)
  assert.equal(cut.nextOffset, 2001)
})

test("[TRUNC-1.3] [TRUNC-S.04] [TRUNC-S.05] the head is cut by bytes at a line end, each newline counting one", () => {
  const cut = truncateHead(kilobyteLines, { maxBytes: 50_000 })
  assert.equal(cut.truncatedBy, "bytes")
  assert.equal(cut.outputLines, 48)
  assert.equal(cut.outputBytes, 48 * 1023 + 47)
  assert.equal(cut.content, lines(48, kilobyte).slice(0, -1))
  assert.equal(Buffer.byteLength(cut.content), cut.outputBytes)
  assert.equal(truncateHead("aa\nbb\ncc", { maxBytes: 5 }).content, "aa\nbb")
  assert.equal(truncateHead("aa\nbb\ncc", { maxBytes: 4 }).content, "aa")
})

test("[TRUNC-1.4] a first line over the limit leaves an empty head", () => {
  const cut = truncateHead(`${"x".repeat(DEFAULT_MAX_BYTES + 1)}\nnext\n`)
  assert.equal(cut.content, "")
  assert.equal(cut.firstLineExceedsLimit, true)
  assert.equal(cut.outputLines, 0)
  assert.equal(truncateHead("x".repeat(DEFAULT_MAX_BYTES)).truncated, false)
})

test("[TRUNC-1.5] an empty text is not truncated", () => {
  for (const cut of [truncateHead(""), truncateTail("")]) {
    assert.equal(cut.content, "")
    assert.equal(cut.truncated, false)
    assert.equal(cut.totalLines, 0)
  }
})

test("[TRUNC-2.1] ten lines come back unchanged from the tail", () => {
  const cut = truncateTail(lines(10))
  assert.equal(cut.content, lines(10))
  assert.equal(cut.truncated, false)
})

test("[TRUNC-2.2] the tail keeps the last 2000 of 3000 lines", () => {
  const cut = truncateTail(lines(3000), { maxLines: 2000 })
  assert.equal(cut.content, lines(3000).slice(lines(1000).length))
  assert.equal(cut.truncatedBy, "lines")
  assert.equal(cut.outputLines, 2000)
})

test("[TRUNC-2.3] [TRUNC-S.07] the tail keeps at most 50 KB and omits the partial line", () => {
  const cut = truncateTail(kilobyteLines, { maxBytes: 50_000 })
  assert.equal(cut.truncatedBy, "bytes")
  assert.equal(cut.outputLines, 48)
  assert.equal(
    cut.content,
    lines(48, (line) => kilobyte(52 + line)),
  )
  assert.equal(cut.outputBytes, 48 * 1024)
  assert.equal(cut.lastLinePartial, false)
})

test("[TRUNC-2.4] a huge last line in Chinese keeps its end, cut between characters", () => {
  const cut = truncateTail(`first\n${"汉字".repeat(20_000)}`)
  assert.equal(cut.lastLinePartial, true)
  assert.equal(cut.outputLines, 1)
  assert.ok(cut.outputBytes <= DEFAULT_MAX_BYTES && cut.outputBytes > DEFAULT_MAX_BYTES - 3)
  assert.match(cut.content, /^[汉字]+$/)
  assert.ok(cut.content.endsWith("汉字"))
})

test("[TRUNC-2.5] [TRUNC-S.11] exactly 2000 lines and exactly 50,000 bytes are not truncated, one more is", () => {
  const text = lines(2000, () => "x".repeat(24))
  assert.equal(Buffer.byteLength(text), 50_000)
  for (const cut of [truncateTail, truncateHead]) {
    assert.equal(cut(text, { maxBytes: 50_000 }).truncated, false)
    assert.equal(cut(text).totalLines, 2000)
    assert.equal(cut(`${text}y`, { maxBytes: Infinity }).truncatedBy, "lines")
    assert.equal(cut(`y${text}`, { maxBytes: 50_000 }).truncated, true)
  }
})

test("[TRUNC-3.1] a line of 100 characters is not cut", () => {
  const cut = truncateLine("x".repeat(100), 500)
  assert.equal(cut.content, "x".repeat(100))
  assert.equal(cut.truncated, false)
})

test("[TRUNC-3.2] [TRUNC-S.08] a line of 800 characters is cut at 500 and marked", () => {
  const cut = truncateLine("x".repeat(800), 500)
  assert.equal(cut.content, `${"x".repeat(500)}... [truncated]`)
  assert.equal(cut.truncatedBy, "chars")
  assert.equal(truncateLine("x".repeat(500), 500).truncated, false)
  assert.equal(truncateLine("x".repeat(501), 500).truncated, true)
  assert.equal(truncateLine(`${"x".repeat(499)}😀y`, 500).content, `${"x".repeat(499)}... [truncated]`)
})

test("[TRUNC-S.01] the limits", () => {
  assert.deepEqual([DEFAULT_MAX_LINES, DEFAULT_MAX_BYTES, GREP_MAX_LINE_LENGTH], [2000, 51_200, 500])
})

test("[TRUNC-S.02] every truncation has all eleven fields", () => {
  const fields = [
    "content",
    "truncated",
    "truncatedBy",
    "totalLines",
    "totalBytes",
    "outputLines",
    "outputBytes",
    "lastLinePartial",
    "firstLineExceedsLimit",
    "maxLines",
    "maxBytes",
  ]
  for (const cut of [truncateHead("a\nb"), truncateTail("a\nb", { maxLines: 1 }), truncateLine("abc", 2)])
    for (const field of fields) assert.ok(field in cut, field)
})

test("[TRUNC-S.03] the limit reached first applies", () => {
  const text = lines(10, () => "123456789")
  assert.equal(truncateHead(text, { maxLines: 3, maxBytes: 80 }).truncatedBy, "lines")
  assert.equal(truncateHead(text, { maxLines: 8, maxBytes: 30 }).truncatedBy, "bytes")
  assert.equal(truncateTail(text, { maxLines: 3, maxBytes: 80 }).truncatedBy, "lines")
  assert.equal(truncateTail(text, { maxLines: 8, maxBytes: 30 }).truncatedBy, "bytes")
})

test("[TRUNC-S.06] the end of a text in bytes starts at a character, for every length and width", () => {
  for (const char of ["é", "汉", "😀"]) {
    const text = `ab${char.repeat(5)}`
    for (let max = 0; max <= Buffer.byteLength(text) + 1; max++) {
      const end = truncateStringToBytesFromEnd(text, max)
      assert.ok(Buffer.byteLength(end) <= max)
      assert.ok(text.endsWith(end))
      assert.ok(Buffer.byteLength(end) > max - Buffer.byteLength(char) || end === text)
    }
  }
})

test("[TRUNC-S.09] formatted sizes", () => {
  assert.deepEqual([0, 1023, 51_200, 1536 * 1024, 5 * 1024 ** 3].map(formatSize), [
    "0B",
    "1023B",
    "50.0KB",
    "1.5MB",
    "5.0GB",
  ])
})

test("[TRUNC-S.10] without a line limit only bytes truncate", () => {
  const cut = truncateHead(
    lines(5000, () => "x"),
    { maxLines: Infinity },
  )
  assert.equal(cut.truncated, false)
  assert.equal(cut.maxLines, Infinity)
})

test("[TRUNC-S.12] the applied limits are recorded", () => {
  const cut = truncateHead("a", { maxLines: 7, maxBytes: 99 })
  assert.deepEqual([cut.maxLines, cut.maxBytes], [7, 99])
  assert.deepEqual([truncateTail("a").maxLines, truncateTail("a").maxBytes], [2000, 51_200])
})

test("a final newline that does not fit removes no line", () => {
  const cut = truncateHead("aaaa\nbbbb\n", { maxBytes: 9 })
  assert.equal(cut.content, "aaaa\nbbbb")
  assert.equal(cut.outputLines, cut.totalLines)
  assert.equal(cut.nextOffset, undefined)
})
