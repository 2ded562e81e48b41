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
