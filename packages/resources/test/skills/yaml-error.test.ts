import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import { parseDocument } from "yaml"
import { yamlError } from "../../src/skills/yaml-error.ts"

import { fixture, diagnosticTexts, skillFile } from "./fixture.ts"

/** The reported problem of a header with this text. */
function problemOf(header: string): string {
  const [error] = parseDocument(header, { prettyErrors: false }).errors
  assert.ok(error, `${header} is no YAML`)
  return englishOf(yamlError(error, 1)).replace("the header is no YAML at column 1: ", "")
}

test("[SKILL-V.13] each kind of header error has its own message", () => {
  const slips = [
    ["a: b: c", "a colon inside a value makes a second key of it. Quote the value."],
    ["a: 1\na: 2", "this key stands here twice. Leave one of them out."],
    ["a: @b", "no value begins with this character. Quote the value."],
    ['a: "\\d"', "there is no such escape. Put the value into single quotes."],
    ["a: [b, c", "this line is not indented as those around it. Indent them alike, or quote the value."],
    ['a: "b', "a quote, bracket, comma, colon or blank is missing. Add it, or quote the value."],
    ["a:\n\tb: c", "a tab indents this line. Use blanks."],
    ["name\nfoo: bar", "a key and its colon stand on one line. Add the colon, or quote the value."],
    ["a: &", "* and & begin names of YAML's own. Quote the value."],
    [
      "a: b\n---\nc: d",
      'the parser says "Source contains multiple documents; please use YAML.parseAllDocuments()". Quote the value.',
    ],
  ] as const
  for (const [header, problem] of slips) assert.equal(problemOf(header), problem, header)
})

test("the column is that of the error", async (t) => {
  const { library } = fixture(t, { "user/skills/x/SKILL.md": skillFile({ name: "x", description: "a: b" }) })
  assert.deepEqual(diagnosticTexts(await library()), [
    "error 3 the header is no YAML at column 14: a colon inside a value makes a second key of it. Quote the value.",
  ])
})
