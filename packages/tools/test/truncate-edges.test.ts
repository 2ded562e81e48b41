import assert from "node:assert/strict"
import { test } from "node:test"
import {
  countLines,
  formatSize,
  truncateHead,
  truncateLine,
  truncateStringToBytesFromEnd,
  truncateTail,
} from "../src/truncate.ts"

const texts = ["", "a", "a\n", "\n", "\n\n", "ab\nc", "ab\nc\n", "é\n中\n😀x\n", "one\n\ntwo\nthree", "aaaa\nb\ncc\n"]

/** The lines that fit from one side, computed naively: one more until it does not fit. */
function kept(text: string, maxLines: number, maxBytes: number, side: "head" | "tail") {
  const lines = text.replace(/\n$/, "").split("\n")
  const final = side === "tail" && text.endsWith("\n") ? "\n" : ""
  const of = (count: number) =>
    side === "head" ? lines.slice(0, count).join("\n") : lines.slice(lines.length - count).join("\n") + final
  let count = 0
  while (count < Math.min(maxLines, lines.length) && Buffer.byteLength(of(count + 1)) <= maxBytes) count++
  return { content: count === 0 ? "" : of(count), outputLines: count }
}

test("head and tail keep as many complete lines as fit, for every small text and limit", () => {
  for (const text of texts)
    for (let maxLines = 0; maxLines <= 5; maxLines++)
      for (let maxBytes = 0; maxBytes <= 16; maxBytes++) {
        const what = `${JSON.stringify(text)} ${maxLines} ${maxBytes}`
        const limits = { maxLines, maxBytes }
        const [head, tail] = [truncateHead(text, limits), truncateTail(text, limits)]
        const fits = countLines(text) <= maxLines && Buffer.byteLength(text) <= maxBytes
        assert.deepEqual([head.truncated, tail.truncated], [!fits, !fits], what)
        if (fits) {
          assert.deepEqual(
            [head.content, tail.content, head.truncatedBy, tail.truncatedBy],
            [text, text, null, null],
            what,
          )
          continue
        }
        const first = kept(text, maxLines, maxBytes, "head")
        assert.deepEqual({ content: head.content, outputLines: head.outputLines }, first, what)
        assert.equal(head.outputBytes, Buffer.byteLength(head.content), what)
        const more = first.outputLines < countLines(text)
        assert.equal(head.nextOffset, more ? first.outputLines + 1 : undefined, what)
        const byLines = more && first.outputLines === maxLines
        assert.equal(head.truncatedBy, byLines ? "lines" : "bytes", what)
        assert.equal(head.firstLineExceedsLimit, first.outputLines === 0 && !byLines, what)
        const last = kept(text, maxLines, maxBytes, "tail")
        if (last.outputLines > 0) assert.deepEqual({ content: tail.content, outputLines: tail.outputLines }, last, what)
        else {
          const end = maxLines === 0 ? "" : truncateStringToBytesFromEnd(text, maxBytes)
          assert.deepEqual([tail.content, tail.lastLinePartial], [end, end !== ""], what)
          assert.equal(tail.outputLines, end === "" ? 0 : 1, what)
        }
        assert.equal(tail.outputBytes, Buffer.byteLength(tail.content), what)
        assert.equal(tail.truncatedBy, last.outputLines === maxLines ? "lines" : "bytes", what)
      }
})

test("the end of a text in bytes, a line in characters, sizes and counts, each at its limits", () => {
  const ends = Array.from({ length: 9 }, (_, bytes) => truncateStringToBytesFromEnd("aé😀", bytes))
  assert.deepEqual(ends, ["", "", "", "", "😀", "😀", "é😀", "aé😀", "aé😀"])
  assert.equal(truncateStringToBytesFromEnd("a", -1), "")
  const line = (text: string, max: number) => truncateLine(text, max).content
  assert.deepEqual([line("abc", 3), line("abc", 2)], ["abc", "ab... [truncated]"])
  assert.deepEqual([line("a😀b", 2), line("a😀b", 3)], ["a... [truncated]", "a😀... [truncated]"])
  for (const pair of ["\u{10000}", "\u{10ffff}"]) assert.equal(line(`a${pair}b`, 2), "a... [truncated]")
  assert.equal(line("a\ud7ffb", 2), "a\ud7ff... [truncated]")
  const cut = truncateLine("abc", 2)
  assert.deepEqual([cut.truncated, cut.truncatedBy, cut.outputLines, cut.outputBytes], [true, "chars", 1, 17])
  const sizes = [0, 1023, 1024, 1536, 1024 ** 2 - 1, 1024 ** 2, 1024 ** 3, 1024 ** 4].map(formatSize)
  assert.deepEqual(sizes, ["0B", "1023B", "1.0KB", "1.5KB", "1024.0KB", "1.0MB", "1.0GB", "1024.0GB"])
  assert.deepEqual(["", "a", "a\n", "\n", "a\nb", "\n\n"].map(countLines), [0, 1, 1, 1, 2, 2])
})
