import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { createEditTool } from "../../../src/index.ts"
import { normalizeText } from "../../../src/edit/matching/normalize.ts"
import { context, lines, place, messages } from "../../workspace.ts"

async function edit(t: TestContext, content: string, oldText: string, newText: string, replaceAll = false) {
  const here = place(t)
  here.put("a.txt", content)
  const edits = [{ oldText, newText, replaceAll }]
  const result = await createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, context())
  return { text: messages(result), file: here.text("a.txt"), details: result.details, isError: result.isError }
}

test("[EDIT-2.1] [EDIT-A.04] [EDIT-S.10] trailing blanks are ignored on both sides", async (t) => {
  assert.equal((await edit(t, "line one   \nrest\n", "line one\n", "replaced\n")).file, "replaced\nrest\n")
  assert.equal((await edit(t, "one\ntwo\nrest\n", "one \t\ntwo  \n", "x\n")).file, "x\nrest\n")
  assert.equal((await edit(t, "one  \ntwo\t\nrest\n", "one \ntwo ", "x")).file, "x\nrest\n")
})

test("[EDIT-2.2] [EDIT-A.05] [EDIT-S.11] all four curly single quotes match an apostrophe", async (t) => {
  assert.equal((await edit(t, "say ‘hello’ now", "'hello'", "'world'")).file, "say 'world' now")
  for (const quote of "‘’‚‛") assert.equal((await edit(t, `a${quote}b`, "a'b", "x")).file, "x")
})

test("[EDIT-2.3] [EDIT-A.06] [EDIT-S.12] all four curly double quotes match a plain one", async (t) => {
  assert.equal((await edit(t, "say “Hello” now", '"Hello"', '"World"')).file, 'say "World" now')
  for (const quote of "“”„‟") assert.equal((await edit(t, `a${quote}b`, 'a"b', "x")).file, "x")
})

test("[EDIT-2.4] [EDIT-A.07] [EDIT-S.13] all seven dashes match a hyphen", async (t) => {
  assert.equal((await edit(t, "1–2 and 3—4", "1-2 and 3-4", "x")).file, "x")
  for (const dash of "\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
    assert.equal((await edit(t, `a${dash}b`, "a-b", "x")).file, "x")
})

test("[EDIT-2.5] [EDIT-A.08] [EDIT-S.14] special spaces match a plain one", async (t) => {
  const spaces = "\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000"
  for (const space of spaces) assert.equal((await edit(t, `a${space}b`, "a b", "x")).file, "x")
  // Also one at the end of the text, which is not a line end.
  assert.equal((await edit(t, "a\u00A0b", "a ", "x ")).file, "x b")
})

test("[EDIT-2.6] [EDIT-A.09] an exact match is used as it is, without normalization", async (t) => {
  const { file, details } = await edit(t, "‘a’ – b  \nplain text\n", "plain", "other")
  assert.equal(file, "‘a’ – b  \nother text\n")
  assert.equal(details?.usedFuzzy, false)
})

test("[EDIT-2.7] [EDIT-A.10] a text that does not match in any form changes nothing", async (t) => {
  const { text, file } = await edit(t, "‘a’ – b\n", "completely different", "x")
  assert.match(text, /^Could not find the exact text in a\.txt\./)
  assert.equal(file, "‘a’ – b\n")
})

test("[EDIT-2.8] [EDIT-A.11] lines that differ in trailing blanks are equal", async (t) => {
  const { text, file } = await edit(t, "hello   \nhello", "hello", "x")
  assert.match(text, /^Found 2 occurrences/)
  assert.equal(file, "hello   \nhello")
  assert.match((await edit(t, "hello   \nhello\n", "hello\n", "x\n")).text, /^Found 2 occurrences/)
})

test("adjacent lines that match in normalized form all count", async (t) => {
  for (const others of ["", "another line\n".repeat(6_000)])
    for (const count of [2, 3, 5]) {
      const content = `${others}${"say ‘hello’ now\n".repeat(count)}rest\n`
      const { text } = await edit(t, content, "say 'hello' now", "x")
      assert.match(text, new RegExp(`^Found ${count} occurrences`))
    }
  const all = await edit(t, "say ‘hello’ now\n".repeat(4), "say 'hello' now", "x", true)
  assert.equal(all.file, "x\n".repeat(4))
})

test("[EDIT-S.15] decomposed and composed characters are equal, also inside a longer line", async (t) => {
  assert.equal((await edit(t, "Zoe\u0308 cafe\u0301 x", "café", "tea")).file, "Zoe\u0308 tea x")
  assert.equal((await edit(t, "Zoë café x", "cafe\u0301", "tea")).file, "Zoë tea x")
  assert.equal((await edit(t, "\u1112\u1161\u11ab\u1100\u116e\u11a8 a", "국", "x")).file, "\u1112\u1161\u11abx a")
  // A letter is not the first half of a composed character.
  assert.match((await edit(t, "a-e\u0301", "a\u2013e", "x")).text, /^Could not find/)
})

test("[EDIT-S.15] a Han compatibility character of the Korean standard equals its composed form", async (t) => {
  assert.equal((await edit(t, "say \uF900\uF905 now", "\u8C48\u4E32 now", "x")).file, "say x")
  assert.match((await edit(t, "\uF900 a\n\u8C48 a\n", "\u8C48 a", "x")).text, /^Found 2 occurrences/)
})

test("[EDIT-S.16] an exact match and a normalized match count as two", async (t) => {
  const content = "say 'a'\nsay ‘a’\n"
  const { text, file } = await edit(t, content, "say 'a'", "x")
  assert.match(text, /^Found 2 occurrences/)
  assert.match(text, /lines 1, 2\./)
  assert.equal(file, content)
  assert.equal((await edit(t, content, "say 'a'", "x", true)).file, "x\nx\n")
})

test("[EDIT-S.27] a fuzzy match is reported, and bytes outside it are kept", async (t) => {
  const content = "“kept” –  \nfoo ‘bar’\u00A0baz  \n“kept” –  \n"
  const { file, details, text } = await edit(t, content, "foo 'bar' baz", "new")
  assert.equal(file, "“kept” –  \nnew  \n“kept” –  \n")
  assert.equal(details?.usedFuzzy, true)
  assert.match(text, /was not there exactly/)
  assert.equal(details?.diff, "  1 “kept” –  \n- 2 foo ‘bar’\u00A0baz  \n+ 2 new  \n  3 “kept” –  ")
  assert.equal(details?.firstChangedLine, 2)
})

test("trailing blanks of lines that the text does not contain are kept", async (t) => {
  assert.equal((await edit(t, "one  \ntwo –\n", "\ntwo -", "\n2")).file, "one  \n2\n")
  assert.equal((await edit(t, "one –  \ntwo\n", "one -", "1")).file, "1  \ntwo\n")
})

test("a text with a trailing blank does not match the start of a word", async (t) => {
  assert.match((await edit(t, "“food”", '"foo ', "x")).text, /^Could not find/)
  assert.match((await edit(t, "“a”\n  b", '"a"\n    ', "x")).text, /^Could not find/)
})

test("a blank text matches exactly only", async (t) => {
  assert.equal((await edit(t, "a\n\tb\nc\n", "\n\t", "\n")).file, "a\nb\nc\n")
})

test("several edits, exact and fuzzy, are matched against the original", async (t) => {
  const here = place(t)
  here.put("a.txt", "‘a’ b\n“c” d\n")
  const edits = [
    { oldText: '"c"', newText: "'a'" },
    { oldText: "'a'", newText: '"c"' },
    { oldText: "d", newText: "e" },
  ]
  await createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, context())
  assert.equal(here.text("a.txt"), "\"c\" b\n'a' e\n")
})

test("windows around a frequent word find each match once", async (t) => {
  const content = lines(500, (line) => (line % 100 === 0 ? `word ‘x’ ${line}` : `word ${line}`))
  assert.match(
    (await edit(t, content, "word 'x'", "y")).text,
    /^Found 5 occurrences.*\n.*lines 100, 200, 300, 400, 500\./,
  )
  assert.equal((await edit(t, content, "word 299\nword 'x' 300\nword 301", "y")).file.split("\n")[298], "y")
})

test("matches across blocks of a long file are found once", async (t) => {
  // Only symbols: no anchor exists, so the whole file is searched in blocks of 64 KB.
  const all = await edit(
    t,
    lines(20_001, () => "- “–”"),
    '- "-"\n- "-"',
    "+",
    true,
  )
  assert.equal(all.file, `${"+\n".repeat(10_000)}- “–”\n`)
})

test("a block boundary is not a line end", async (t) => {
  const dashes = lines(30_000, () => "—")
  assert.match((await edit(t, `${dashes}b`, "-\n  ", "x")).text, /^Could not find/)
  assert.equal((await edit(t, `${dashes}  b`, "-\n  ", "x")).file, `${dashes.slice(0, -2)}xb`)
})

for (const newline of ["\n", "\r\n"])
  test(`a text of several lines is found at any offset, ${JSON.stringify(newline)}`, async (t) => {
    const here = place(t)
    const signs = "!$%&/()=?[]{}<>;:,.#+*".split("")
    const rows = Array.from({ length: 9000 }, (_, at) =>
      // The row number in symbols, and a quote that requires a fuzzy match.
      Array.from(at.toString(signs.length), (digit) => signs[Number.parseInt(digit, signs.length)])
        .join("")
        .padEnd(20, "“"),
    )
    here.put("a.txt", rows.join(newline))
    const tool = createEditTool(here.cwd)
    // Around the block boundaries of 64 KB.
    const bytesOf = (row: string) => Buffer.byteLength(row + newline)
    let sum = 0
    const borders = rows.flatMap((row, at) => {
      const before = Math.floor(sum / 65_536)
      sum += bytesOf(row)
      return Math.floor(sum / 65_536) > before ? [at - 2, at - 1, at, at + 1] : []
    })
    assert.ok(borders.length > 20)
    for (const at of borders) {
      const old = rows
        .slice(at, at + 3)
        .join("\n")
        .replaceAll("“", '"')
      const { details, content } = await tool.execute(
        "c",
        { path: "a.txt", edits: [{ oldText: old, newText: "new" }] },
        context(),
      )
      assert.equal(details?.firstChangedLine, at + 1, JSON.stringify(content))
      here.put("a.txt", rows.join(newline))
    }
  })

test("two overlapping matches that share a blank count as one, as in exact text", async (t) => {
  assert.equal((await edit(t, "é | e e \n", " e ", "-")).file, "é |-e \n")
})

test("matches in lines of composed characters are found by column", async (t) => {
  const content = "e\u0301 ‘x’ e\u0301 ‘x’\nplain ‘x’\n"
  assert.equal((await edit(t, content, "é 'x'", "y", true)).file, "y y\nplain ‘x’\n")
})

test("a line without anything to normalize is unchanged", () => {
  for (const line of ["", "plain", "\ttab", "中文", "é"]) assert.equal(normalizeText(line), line)
})
