import assert from "node:assert/strict"
import { test } from "node:test"
import type { PartialUpdate } from "@gong/spec"
import { addTagged, endTagged, type TaggedState } from "../../../src/protocol/reply/thinking-tags.ts"

/** The blocks of a text in pieces, and the deltas shown after each piece. */
function read(...pieces: readonly string[]) {
  const state: TaggedState = { blocks: [], tags: null }
  const shown = pieces.map((piece) => {
    const partials: PartialUpdate[] = []
    addTagged(state, piece, partials)
    return partials.map((one) => ("delta" in one ? one.delta : "")).join("")
  })
  endTagged(state, [])
  const blocks = state.blocks.map((block) => [block.type, "text" in block ? block.text : ""])
  return { blocks, shown }
}

test("[PROVIDER-THK.8] a text is the same in any pieces", () => {
  for (const [text, expected] of [
    [
      "<think>a < b</think>\n\nc",
      [
        ["thinking", "a < b"],
        ["text", "c"],
      ],
    ],
    [
      "  <thinking>\na</thinking>b",
      [
        ["thinking", "a"],
        ["text", "b"],
      ],
    ],
    ["<think>a </think", [["thinking", "a </think"]]],
    [
      "<think>a</think> <think>b</think>",
      [
        ["thinking", "a"],
        ["text", "<think>b</think>"],
      ],
    ],
    ["<thin ice>", [["text", "<thin ice>"]]],
    ["a <think>b</think>", [["text", "a <think>b</think>"]]],
  ] as const) {
    for (let at = 0; at <= text.length; at++)
      assert.deepEqual(read(text.slice(0, at), text.slice(at)).blocks, expected, `${text} at ${at}`)
    assert.deepEqual(read(...text).blocks, expected, text)
  }
})

test("only white space and a possible beginning of the closing tag are held back", () => {
  const { shown } = read("<think>", "a", "b ", "<", "c</th", "is", " \n</think>", "d")
  assert.deepEqual(shown, ["", "a", "b", "", " <c", "</this", "", "d"])
})
