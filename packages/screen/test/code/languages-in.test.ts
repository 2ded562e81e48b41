import assert from "node:assert/strict"
import { test } from "node:test"
import { languagesIn } from "@gong/screen/code"

test("languages of code blocks are found, also in lists and quotations", () => {
  const text = "```ts\na\n```\n\n1. x\n   ~~~Python title\n> - ```c++\n````rust\nno ```js\n```\n"
  assert.deepEqual(languagesIn(text), ["ts", "python", "c++", "rust"])
})

test("languages of a text of blanks, line breaks or marks are looked for in linear time", { timeout: 10_000 }, () => {
  for (const mark of ["\n", " ", "> ", "- ", "\t\n", "1. "]) assert.deepEqual(languagesIn(mark.repeat(100_000)), [])
})
