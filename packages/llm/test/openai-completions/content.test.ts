import assert from "node:assert/strict"
import { test } from "node:test"
import { partsOf } from "../../src/openai-completions/content.ts"

test("content is a text, a list of texts and reasoning, or nothing; empty and other parts are skipped", () => {
  const text = (value: string) => ({ type: "text", text: value })
  for (const [content, parts] of [
    ["a", [text("a")]],
    ["", []],
    [null, []],
    [undefined, []],
    [7, []],
    [{ type: "text", text: "a" }, []],
    [[], []],
    [[{ type: "text", text: "a" }, { type: "text", text: "" }, null, "b", { type: "image_url" }], [text("a")]],
    [
      [
        { type: "thinking", thinking: [{ type: "text", text: "t" }] },
        { type: "text", text: "a" },
      ],
      [{ type: "thinking", text: "t" }, text("a")],
    ],
  ] as const)
    assert.deepEqual(partsOf(content), parts, JSON.stringify(content))
})
