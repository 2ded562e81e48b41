import assert from "node:assert/strict"
import { test } from "node:test"
import { talk, open } from "./talk.ts"

test("/tasks lists the tasks of the session with their cost, the newest first, and shows the report of one", async (t) => {
  const program = await open(t, {
    turns: [
      { calls: [{ name: "task", args: { prompt: "Count the files.", title: "count" } }] },
      { text: "There are three files.\n\nAll of them are small." },
      { calls: [{ name: "task", args: { prompt: "Fail.", title: "other" } }] },
      { text: "It is another report." },
      { text: "Both are done." },
    ],
  })
  const lines = await talk(program, ["/tasks", "go", "/agents", "2", "/tasks ９"], "--tools", "+task", "--yolo")
  assert.deepEqual(
    lines.filter((line) => !/^ {2}task /.test(line)),
    [
      "> /tasks",
      "The model has given no tasks.",
      "> go",
      "Both are done.",
      "> /agents",
      "Which task?",
      "  1  other  ok, 0 tool calls",
      "  2  count  ok, 0 tool calls",
      "1-2, Enter for none > 2",
      "count  ok, 0 tool calls",
      "There are three files.",
      "",
      "All of them are small.",
      "",
      "[task s2: 1 turn, 0 tool calls]",
      "gong sessions show S2 shows its steps.",
      "> /tasks ９",
      "There are 2 tasks.",
      "> ",
    ],
  )
})
