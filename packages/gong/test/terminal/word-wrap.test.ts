import assert from "node:assert/strict"
import { test } from "node:test"
import stringWidth from "string-width"
import { wordWrap } from "../../src/terminal/word-wrap.ts"

/** The text in pieces of every size, which must all give the same. */
function wrapped(text: string, columns: number): string {
  const results = new Set<string>()
  for (let size = 1; size <= text.length; size++) {
    const wrap = wordWrap(() => columns)
    let out = ""
    for (let at = 0; at < text.length; at += size) out += wrap.add(text.slice(at, at + size))
    results.add(out + wrap.flush())
  }
  const [first = "", ...others] = results
  assert.deepEqual(others, [])
  return first
}

test("a streaming text is broken at words, in pieces of every size", () => {
  assert.equal(wrapped("The quick brown fox jumps", 10), "The quick\nbrown fox\njumps")
  assert.equal(wrapped("one two\n\n  three four five\n", 10), "one two\n\n  three\nfour five\n")
  assert.equal(wrapped("a verylongwordindeed b", 8), "a\nverylongwordindeed\nb")
  assert.equal(wrapped("exactly 10", 10), "exactly 10")
})

test("Chinese is broken between characters, and counts two columns each", () => {
  const text = wrapped("这个函数返回错误的结果，因为 index 从一开始。", 12)
  for (const line of text.split("\n")) assert.ok(stringWidth(line) <= 12, line)
  assert.equal(text, "这个函数返回\n错误的结果，\n因为 index\n从一开始。")
})

test("code blocks and tables keep their lines", () => {
  const code = "```ts\nconst answer = compute(first, second)\n```\n"
  const row = "| one column | another column |\n"
  assert.equal(wrapped(code + row, 10), code + row)
  assert.equal(wrapped(`${code}one two three\n`, 10), `${code}one two\nthree\n`)
})

test("nothing but spaces at a break is lost, for any width", () => {
  const text = "Some words, a `code span`, 中文 mixed in, and https://example.com/a/long/address at the end.\n"
  for (let columns = 1; columns <= 120; columns++)
    assert.equal(wrapped(text, columns).replaceAll(/\s/g, ""), text.replaceAll(/\s/g, ""))
})
