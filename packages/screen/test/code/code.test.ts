import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { before, test } from "node:test"
import { highlighterOf, isLoaded, loadLanguage } from "@gong/screen/code"
import { textOf } from "@gong/screen/row"
import { parserLoaders } from "../../src/code/languages.ts"

before(() => Promise.all([...parserLoaders.keys()].map(loadLanguage)))

test("keywords, strings, numbers and comments have their roles, also over several lines", () => {
  const highlight = highlighterOf("ts")
  assert.deepEqual(highlight?.("const a = 'x' /* one"), [
    { text: "const", role: "keyword" },
    { text: " a = " },
    { text: "'x'", role: "string" },
    { text: " " },
    { text: "/* one", role: "comment" },
  ])
  assert.deepEqual(highlight?.(""), [])
  assert.deepEqual(highlight?.("two */ 42"), [
    { text: "two */", role: "comment" },
    { text: " " },
    { text: "42", role: "number" },
  ])
})

test("every language keeps the text of every line, colours something, and never fails", () => {
  const samples = [
    readFileSync(new URL(import.meta.url), "utf8"),
    "\u0000\u{1f468}'\"`${{<!--",
    "  if x: # y\n\n\tdef f(a) end",
  ]
  const lines = [
    ...samples.join("\n").split("\n"),
    "if (1 == 'a') { return \"b\"; } // 42",
    "# x -- y ; z % w",
    "+added",
  ]
  const uncoloured = [...parserLoaders.keys()].filter((language) => {
    const highlight = highlighterOf(language)
    let roles = 0
    for (const line of lines) {
      const spans = highlight?.(line) ?? []
      assert.equal(textOf(spans), line, language)
      roles += spans.filter(({ role }) => role !== undefined).length
    }
    return roles === 0
  })
  assert.deepEqual(uncoloured, [])
})

test("an unknown language has no colours, and neither has a very long line", async () => {
  await loadLanguage("no-such-language")
  assert.equal(isLoaded("no-such-language"), true)
  assert.equal(highlighterOf("no-such-language"), null)
  const long = "a = 'b' ".repeat(1_000)
  assert.deepEqual(highlighterOf("py")?.(long), [{ text: long }])
})

test("a line of 2,000 characters has colours, a longer one has none", () => {
  const line = (length: number) => `'${"x".repeat(length - 2)}'`
  assert.deepEqual(highlighterOf("js")?.(line(2_000)), [{ text: line(2_000), role: "string" }])
  assert.deepEqual(highlighterOf("js")?.(line(2_001)), [{ text: line(2_001) }])
})

test("a language is loaded once it was asked for; an empty line stays empty", () => {
  assert.equal(isLoaded("ts"), true)
  for (const language of ["ts", "py", "diff", "no-such-language-at-all"]) assert.equal(isLoaded(language), true)
  assert.deepEqual(highlighterOf("py")?.(""), [])
})

test("names of tokens have their roles: tags, numbers, added and removed lines", () => {
  const roles = (language: string, line: string) =>
    (highlighterOf(language)?.(line) ?? []).map(({ text, role }) => `${text}|${role ?? ""}`)
  assert.deepEqual(roles("diff", "+new"), ["+new|added"])
  assert.deepEqual(roles("diff", "-old"), ["-old|removed"])
  assert.deepEqual(
    roles("json", '{"a": 1, "b": true}').filter((one) => one.endsWith("|number")),
    ["1|number", "true|number"],
  )
  assert.deepEqual(
    roles("html", "<b class='x'>").filter((one) => one.endsWith("|string")),
    ["'x'|string"],
  )
  assert.ok(roles("html", "<b>").some((one) => one.endsWith("|keyword")))
})
