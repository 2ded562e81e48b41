import assert from "node:assert/strict"
import { test } from "node:test"
import stringWidth from "string-width"
import { wordWrap, wrapLine } from "../../src/terminal/word-wrap.ts"

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

test("a whole line is broken at its width, and its continuations are indented like it", () => {
  assert.equal(wrapLine("one two three", 26), "one two three")
  assert.equal(wrapLine("one two three", 8), "one two\nthree")
  assert.equal(wrapLine("  one two three", 9), "  one two\n  three")
  assert.equal(wrapLine("  one two three", 10), "  one two\n  three")
  assert.equal(wrapLine("    one", 2), "    one")
  assert.equal(wrapLine("中文中文中文", 12), "中文中文中文")
  assert.equal(wrapLine("中文中文中文", 11), "中文中文中\n文")
})

test("a word ends at the width, wide characters begin rows, and closing marks do not", () => {
  assert.equal(wrapped("ab cd", 5), "ab cd")
  assert.equal(wrapped("ab cde", 5), "ab\ncde")
  assert.equal(wrapped("ab  cd", 5), "ab\ncd")
  assert.equal(wrapped("abc工", 4), "abc\n工")
  assert.equal(wrapped("abc工", 5), "abc工")
  assert.equal(wrapped("工abc", 4), "工\nabc")
  assert.equal(wrapped("工，b", 4), "工，\nb")
  assert.equal(wrapped("中工，", 5), "中\n工，")
  assert.equal(wrapped("a“工”", 4), "a“\n工”")
  assert.equal(wrapped("（工", 2), "（\n工")
  assert.equal(wrapped("カか", 2), "カ\nか")
})

test("a fence holds its lines up to the next one, also indented by three blanks", () => {
  for (const fence of ["```", "~~~", "   ```"]) {
    const text = `${fence}\none two three four\n${fence}\none two three\n`
    assert.equal(wrapped(text, 10), `${fence}\none two three four\n${fence}\none two\nthree\n`)
  }
  assert.equal(wrapped("    ``` two three\nfour five six\n", 10), "    ```\ntwo three\nfour five\nsix\n")
  assert.equal(wrapped("x ``` two\none two three\n", 10), "x ``` two\none two\nthree\n")
  assert.equal(wrapped("  | one two | three\n", 10), "  | one two | three\n")
  assert.equal(wrapped("a | one two | three\n", 10), "a | one\ntwo |\nthree\n")
})

test("blanks at the end of a text stay, and count in what follows", () => {
  const wrap = wordWrap(() => 6)
  assert.equal(wrap.add("ab ") + wrap.flush(), "ab ")
  assert.equal(wrap.add("cde f") + wrap.flush(), "cde\nf")
  const open = wordWrap(() => 6)
  assert.equal(open.add("ab"), "")
  assert.equal(open.flush(), "ab")
  assert.equal(open.add(" cd ef") + open.flush(), " cd\nef")
  assert.equal(wrapped("a  \nb", 6), "a  \nb")
})
