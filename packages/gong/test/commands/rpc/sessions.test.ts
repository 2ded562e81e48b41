import assert from "node:assert/strict"
import { test } from "node:test"
import { answers, place } from "./answers.ts"

test("gong rpc switches to other sessions and other steps", async (t) => {
  const program = await place(t)
  const found = await answers(
    program,
    [
      { type: "prompt", text: "one" },
      { type: "new_session", name: "second" },
      { type: "get_state" },
      { type: "fork" },
      { type: "fork", entry: "nope" },
      { type: "switch_session", session: "nope" },
      { type: "navigate", entry: "nope" },
      { type: "label", entry: "nope", label: "x" },
      { type: "export", file: `${program.repo}/out.md` },
      { type: "export", file: `${program.repo}/out.md` },
      { type: "export", file: `${program.repo}/out.jsonl`, format: "markdown" },
      { type: "prompt", text: "/nope" },
    ],
    "--yolo",
  )
  assert.deepEqual(found, [
    ["prompt", { run: "E2", disposition: "started" }],
    ["new_session", { session: "S2", resumed: false }],
    [
      "get_state",
      {
        session: "S2",
        name: "second",
        cwd: "$REPO",
        workspace: "$REPO",
        tape: "$GONG/sessions/S2",
        leaf: "E7",
        model: "custom/mock",
        thinking: "off",
        contextWindow: 128000,
        tools: ["read", "write", "edit", "bash", "grep", "find", "ls"],
        permission: "full",
        autoCompaction: true,
        autoRetry: true,
        run: null,
        working: null,
        steer: [],
        followUp: [],
        questions: [],
        dialogs: [],
        todos: [],
        messages: 0,
      },
    ],
    ["fork", { session: "S3", resumed: true }],
    ["fork", { code: "not_found", message: "This session has no step nope." }],
    ["switch_session", { code: "not_found", message: 'there is no session "nope". gong sessions lists them.' }],
    ["navigate", { code: "not_found", message: "This session has no step nope." }],
    ["label", { code: "not_found", message: "This session has no step nope." }],
    ["export", { file: "$REPO/out.md", format: "markdown" }],
    ["export", { file: "$REPO/out.md", format: "markdown" }],
    ["export", { file: "$REPO/out.jsonl", format: "markdown" }],
    ["prompt", { run: "E9", disposition: "started" }],
  ])
  assert.match(program.read("out.jsonl"), /^# /)
})
