import assert from "node:assert/strict"
import { test } from "node:test"
import { answers, place } from "./answers.ts"

test("gong rpc returns state, messages and cost of the session", async (t) => {
  const program = await place(t)
  const found = await answers(
    program,
    [
      { type: "hello", protocol: 1, partial: false },
      { type: "hello", protocol: 2 },
      { type: "get_state" },
      { type: "prompt", text: "one" },
      { type: "prompt", text: "two" },
      { type: "get_messages", limit: 2 },
      { type: "get_stats" },
      { type: "set_name", name: "n" },
      { type: "get_tree" },
      { type: "undo" },
      { type: "undo" },
      { type: "redo" },
      { type: "redo" },
      { type: "bash", command: "echo hi" },
      { type: "list_sessions" },
      { type: "list_sessions", all: true, limit: 1 },
      { type: "search", query: "Two" },
      { type: "search", query: "..." },
      { type: "shutdown" },
    ],
    "--yolo",
  )
  assert.deepEqual(found, [
    ["hello", { protocol: 1, version: "1.2.3" }],
    ["hello", { code: "protocol", message: "Protocol 2 is not supported.", hint: "gong 1.2.3 supports protocol 1" }],
  ])
})
