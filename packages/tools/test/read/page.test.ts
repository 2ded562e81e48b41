import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { test } from "node:test"
import { type PageOptions, readPage } from "../../src/read/page.ts"

const page = (bytes: Uint8Array, options: Partial<PageOptions> = {}) =>
  readPage(
    { size: bytes.length, read: async (from, to) => bytes.subarray(from, to) },
    { first: 1, signal: new AbortController().signal, ...options },
  )

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

test("a page of a UTF-16 file has its lines, its encoding and the facts of the file", async () => {
  const bytes = utf16("l1\nl2\nl3\nl4\n")
  const { truncation, notice, encoding, beyond, totalLines, sha256: hash } = await page(bytes, { first: 2, limit: 2 })
  assert.deepEqual(
    [truncation.content, truncation.totalLines, truncation.totalBytes, encoding, beyond, totalLines, hash],
    ["l2\nl3\n", 4, bytes.length, "utf-16le", false, 4, sha256(bytes)],
  )
  assert.equal(notice, "[encoding: utf-16le]\n[1 more lines in file. Use offset=4 to continue.]")
  const whole = await page(bytes)
  assert.deepEqual([whole.truncation.content, whole.notice], ["l1\nl2\nl3\nl4\n", "[encoding: utf-16le]"])
  assert.equal((await page(bytes, { first: 5 })).beyond, true)
})

test("each page of a text: its lines, the next offset, and what is left", async () => {
  const bytes = Buffer.from("one\ntwo\nthree\nfour")
  for (const [options, content, notice] of [
    [{}, "one\ntwo\nthree\nfour", ""],
    [{ first: 4 }, "four", ""],
    [{ first: 3, limit: 2 }, "three\nfour", ""],
    [{ limit: 3 }, "one\ntwo\nthree\n", "[1 more lines in file. Use offset=4 to continue.]"],
    [{ first: 2, limit: 1 }, "two\n", "[2 more lines in file. Use offset=3 to continue.]"],
    [{ maxLines: 2 }, "one\ntwo", "[Showing lines 1-2 of 4. Use offset=3 to continue.]"],
    [{ first: 2, maxLines: 2 }, "two\nthree", "[Showing lines 2-3 of 4. Use offset=4 to continue.]"],
    [{ maxBytes: 7 }, "one\ntwo", "[Showing lines 1-2 of 4 (7B limit). Use offset=3 to continue.]"],
    [{ first: 3, maxBytes: 4 }, "", "[Line 3 is 5B, exceeds 4B limit. Use bash: sed -n '3p' PATH | head -c 4]"],
  ] as const) {
    const found = await page(bytes, options)
    assert.deepEqual([found.truncation.content, found.notice], [content, notice], JSON.stringify(options))
    assert.deepEqual([found.totalLines, found.sha256], [4, sha256(bytes)])
  }
  for (const [first, beyond] of [
    [4, false],
    [5, true],
    [9, true],
  ] as const)
    assert.equal((await page(bytes, { first })).beyond, beyond)
  const empty = await page(Buffer.alloc(0))
  assert.deepEqual([empty.beyond, empty.totalLines, empty.truncation.content, empty.notice], [false, 0, "", ""])
  assert.equal((await page(Buffer.from("a\n"), { first: 2 })).beyond, true)
})

test("lines are counted across windows, and an abort ends the reading", async () => {
  const line = `${"x".repeat(99)}\n`
  const bytes = Buffer.from(line.repeat(20_000))
  const found = await page(bytes, { first: 15_000, limit: 1 })
  assert.deepEqual([found.truncation.content, found.totalLines], [line, 20_000])
  assert.equal(found.notice, "[5000 more lines in file. Use offset=15001 to continue.]")
  await assert.rejects(page(bytes, { signal: AbortSignal.abort() }), { message: "Operation aborted" })
})
