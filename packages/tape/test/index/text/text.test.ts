import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import { columnsOf, parseQuery } from "../../../src/index/text/query.ts"
import { snippetOf } from "../../../src/index/text/snippet.ts"
import { firstLine, indexFieldsOf, textOfEntry } from "../../../src/entry-text.ts"
import { identifierParts, separateIdeographs, wordsIn } from "../../../src/index/text/words.ts"

test("compound identifiers fall into their parts, each once; of more than 64 letters or six parts none", () => {
  for (const [text, parts] of [
    ["parseArgs2", "parse args 2"],
    ["HTTPServer", "http server"],
    ["aB aB bA", "a b"],
    ["plain words 12", ""],
    ["utf8", "utf 8"],
    ["2ndTry", "2 nd try"],
    ["é.fooBar-bazQux", "foo bar baz qux"],
    ["a1b2c3", "a 1 b 2 c 3"],
    ["a1b2c3d", ""],
    [`${"a".repeat(63)}B`, `${"a".repeat(63)} b`],
    [`${" ".repeat(70)}aBc d`, "a bc"],
    ["plain aB", "a b"],
    ["AaB", "aa b"],
    ["ZaB", "za b"],
    ["aaB", "aa b"],
    ["zaB", "za b"],
    ["00a", "00 a"],
    ["90a", "90 a"],
    ["aBA aBZ aBa aBz aB0 aB9", "a ba bz b 0 9"],
    ["x/aB x:aB x@aB x[aB x`aB x{aB", "a b"],
    [`${"a".repeat(64)}B`, ""],
  ] as const)
    assert.equal(identifierParts(text), parts, text)
})

test("every ideograph is a word of its own, and the letters of other scripts are whole words", () => {
  assert.equal(separateIdeographs("a中文b"), "a 中  文 b")
  assert.deepEqual(wordsIn("naïve 中文, x_1 — 한글!"), ["naïve", "中", "文", "x", "1", "한", "글"])
  assert.deepEqual(wordsIn("--"), [])
})

test("a question is its words; from three letters on a plain one is also a beginning, in quotes they stand together", () => {
  assert.deepEqual(parseQuery('ab abc "d ef"'), {
    exact: '"ab" AND "abc" AND "d ef"',
    beginnings: '"ab" AND "abc" * AND "d ef"',
    terms: [["ab"], ["abc"], ["d", "ef"]],
  })
  assert.deepEqual(parseQuery("foo-ba foo-bar")?.beginnings, '"foo ba" AND "foo bar" *')
  assert.deepEqual(parseQuery("“open quote")?.terms, [["open", "quote"]])
  for (const nothing of ["", "  ", '""', "- ."]) assert.equal(parseQuery(nothing), null, nothing)
})

test("a text is indexed with separated ideographs, and with the parts of its identifiers", () => {
  assert.deepEqual(columnsOf("a中 fooBar"), { body: "a 中  fooBar", parts: "foo bar" })
})

test("32 terms and a thousand characters of a question are taken", () => {
  const many = Array.from({ length: 33 }, (_, at) => `w${at}`).join(" ")
  assert.equal(parseQuery(many)?.terms.length, 32)
  assert.deepEqual(parseQuery(`${" ".repeat(999)}xy`)?.terms, [["x"]])
  assert.equal(parseQuery(`${" ".repeat(1_000)}x`), null)
})

test("a snippet begins forty characters before the first hit, and is 160 long", () => {
  const at = (before: number, after: number) => snippetOf(`${"-".repeat(before)}hit${"+".repeat(after)}`, [["hit"]])
  assert.deepEqual(at(40, 117), { text: `${"-".repeat(40)}hit${"+".repeat(117)}`, marks: [[40, 43]] })
  assert.deepEqual(at(40, 118), { text: `${"-".repeat(40)}hit${"+".repeat(117)}…`, marks: [[40, 43]] })
  assert.deepEqual(at(41, 117), { text: `…${"-".repeat(40)}hit${"+".repeat(117)}`, marks: [[41, 44]] })
  assert.deepEqual(at(50, 0), { text: `…${"-".repeat(40)}hit`, marks: [[41, 44]] })
  const far = `one ${"-".repeat(300)} two`
  assert.deepEqual(snippetOf(far, [["two"], ["one"]]).marks, [[0, 3]])
  assert.deepEqual(snippetOf(far, [["none"]]).text, `${far.slice(0, 160)}…`)
  assert.deepEqual(snippetOf("  a\n\tb  c ", []), { text: "a b c", marks: [] })
  assert.deepEqual(snippetOf("a b", [[]]), { text: "a b", marks: [] })
})

test("hits are marked where a word begins, else anywhere; none overlaps another, and none leads out of the snippet", () => {
  const marks = (text: string, ...terms: readonly (readonly string[])[]) => snippetOf(text, terms).marks
  assert.deepEqual(marks("bar xbar fooBar", ["bar"]), [
    [0, 3],
    [12, 15],
  ])
  assert.deepEqual(marks("xbar ybar", ["bar"]), [
    [1, 4],
    [6, 9],
  ])
  assert.deepEqual(marks("x1 HTTPServer 2nd", ["1"], ["server"], ["nd"]), [
    [1, 2],
    [7, 13],
    [15, 17],
  ])
  assert.deepEqual(marks("中文字", ["文"]), [[1, 2]])
  assert.deepEqual(marks("-bar xxbar", ["bar"]), [[1, 4]])
  assert.deepEqual(marks("xbAr bar", ["bar"]), [[5, 8]])
  assert.deepEqual(marks("文bar xbar", ["bar"]), [[1, 4]])
  assert.deepEqual(marks("b xb文", ["b"]), [[0, 1]])
  assert.deepEqual(marks("foo - bar", ["foo", "bar"]), [[0, 9]])
  assert.deepEqual(marks("foobar", ["foo"], ["foobar"]), [[0, 3]])
  assert.deepEqual(marks(`x ${"-".repeat(157)}ab`, ["x"], ["ab"]), [[0, 1]])
  assert.equal(marks("hit ".repeat(39), ["hit"]).length, 20)
  assert.equal(marks("xhit".repeat(39), ["hit"]).length, 20)
})

test("a summary is its first line, 200 characters of it", () => {
  assert.equal(firstLine(" \n one\ntwo"), "one")
  assert.equal(firstLine("x".repeat(200)), "x".repeat(200))
  assert.equal(firstLine("x".repeat(201)), `${"x".repeat(200)}…`)
  assert.equal(firstLine(`${"x".repeat(199)}😀`), `${"x".repeat(199)}\ufffd…`)
  assert.equal(firstLine(""), "")
})

test("what can be found of an entry: its own words, and those of an input once", () => {
  const head = { id: "a".repeat(12), parentId: null, timestamp: "2026-01-01T00:00:00.000Z" }
  const of = (body: object) => textOfEntry({ ...head, ...body } as Entry)
  const text = (printed: string) => ({ type: "text", text: printed })
  const call = { type: "tool_call", name: "bash", arguments: { command: "ls", list: ["a", { b: "c" }], empty: "" } }
  for (const [body, expected] of [
    [{ type: "message", message: { content: [text("one"), call, null] } }, "one\nbash\nls\na\nc"],
    [{ type: "message", inputId: "i", message: { content: [text("one")] } }, ""],
    [{ type: "message", message: { content: "plain" } }, "plain"],
    [{ type: "message" }, ""],
    [{ type: "custom_message", content: [text("note")] }, "note"],
    [{ type: "input", text: "asked" }, "asked"],
    [{ type: "change", path: "/w/a" }, "/w/a"],
    [{ type: "run_end", failure: { message: "cut" } }, "cut"],
    [{ type: "model_call" }, ""],
    [{ type: "model_call", failure: { message: "cut" } }, "cut"],
    [{ type: "compaction", summary: "so far" }, "so far"],
    [{ type: "branch_summary", summary: "left" }, "left"],
    [{ type: "session_info", name: "named" }, "named"],
    [{ type: "label", label: "here" }, "here"],
    [{ type: "anchor", name: "begin" }, "begin"],
    [{ type: "anchor", name: "begin", summary: "why" }, "why"],
    [{ type: "custom", data: "x" }, ""],
  ] as const)
    assert.equal(of(body), expected, JSON.stringify(body))
  const indexed = (body: object) => indexFieldsOf({ ...head, ...body } as Entry)
  assert.deepEqual(indexed({ type: "custom", data: { a: 1 } }).metadata, '{"a":1}')
  assert.deepEqual(indexed({ type: "custom_message", content: [], details: [1] }).metadata, "[1]")
  assert.deepEqual(indexed({ type: "label", label: "here\nmore" }), {
    text: "here\nmore",
    summary: "here",
    metadata: null,
  })
  assert.deepEqual(indexed({ type: "label", label: 7 }).summary, null)
  assert.equal(indexed({ type: "future", details: 1, data: 1 }).metadata, null)
  const most = 256 * 1024
  assert.equal(indexed({ type: "input", text: "x".repeat(most + 1) }).text.length, most)
})
