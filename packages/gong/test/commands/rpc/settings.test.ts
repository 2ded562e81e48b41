import assert from "node:assert/strict"
import { test } from "node:test"
import { answers, place } from "./answers.ts"

test("gong rpc changes model, tools and permission of the session", async (t) => {
  const program = await place(t)
  const found = await answers(program, [
    { type: "set_model", model: "other:high" },
    { type: "set_model", model: "nope/x" },
    { type: "cycle_model" },
    { type: "set_thinking_level", level: "low" },
    { type: "set_tools", tools: ["readonly"] },
    { type: "set_tools", tools: ["hammer"] },
    { type: "set_permission", level: "full" },
    { type: "set_auto_compaction", enabled: false },
    { type: "set_auto_retry", enabled: false },
    { type: "get_state" },
    { type: "get_available_models" },
    { type: "nope" },
    {},
    { type: "abort" },
    { type: "clear_queue" },
    { type: "remove_queued" },
    { type: "remove_queued", target: "x" },
    { type: "permission_reply", target: "x", choice: "once" },
    { type: "permission_reply", choice: "once" },
    { type: "ui_reply", target: "x" },
    { type: "ui_reply" },
    { type: "compact" },
    { type: "get_entries" },
  ])
  assert.deepEqual(found, [
    ["set_model", { model: "custom/other", thinking: "high", contextWindow: 128000 }],
    ["set_model", { model: "custom/nope/x", thinking: "high", contextWindow: 128000 }],
    ["cycle_model", { model: "custom/nope/x", thinking: "high", contextWindow: 128000 }],
    ["set_thinking_level", { model: "custom/nope/x", thinking: "low", contextWindow: 128000 }],
    ["set_tools", { tools: ["read", "grep", "find", "ls"] }],
    [
      "set_tools",
      {
        code: "bad_arguments",
        message:
          'there is no tool "hammer". Available: read, write, edit, bash, grep, find, ls, fetch, todo, ask, task, default, minimal or readonly.',
      },
    ],
    ["set_permission", { level: "full" }],
    ["set_auto_compaction", { enabled: false }],
    ["set_auto_retry", { enabled: false }],
    [
      "get_state",
      {
        session: "S1",
        name: null,
        cwd: "$REPO",
        workspace: "$REPO",
        tape: "$GONG/sessions/S1",
        leaf: "E3",
        model: "custom/nope/x",
        thinking: "low",
        contextWindow: 128000,
        tools: ["read", "grep", "find", "ls"],
        permission: "full",
        autoCompaction: false,
        autoRetry: false,
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
    [
      "get_available_models",
      {
        models: [
          {
            model: "custom/nope/x",
            contextWindow: 128000,
            maxOutput: 16384,
            reasoning: false,
            images: false,
            current: true,
          },
        ],
      },
    ],
    ["nope", { code: "unknown_command", message: 'There is no command "nope".', hint: "get_commands lists them" }],
    [null, { code: "bad_arguments", message: 'A command must have a "type".', hint: "get_commands lists them" }],
    ["abort", { stopped: false }],
    ["clear_queue", { removed: [] }],
    ["remove_queued", { code: "not_found", message: "No message c15 waits.", hint: "get_state lists those that do" }],
    ["remove_queued", { code: "not_found", message: "No message x waits.", hint: "get_state lists those that do" }],
    [
      "permission_reply",
      { code: "not_found", message: "No question x is open.", hint: "get_state lists those that are" },
    ],
    [
      "permission_reply",
      { code: "not_found", message: "No question c18 is open.", hint: "get_state lists those that are" },
    ],
    ["ui_reply", { code: "not_found", message: "No dialog x is open.", hint: "get_state lists those that are" }],
    ["ui_reply", { code: "not_found", message: "No dialog c20 is open.", hint: "get_state lists those that are" }],
    [
      "compact",
      {
        status: "nothing",
        tokensBefore: 0,
        failure: {
          kind: "limit",
          message: "There is nothing to compact yet.",
          retryable: false,
          phrases: { message: { id: "There is nothing to compact yet.", values: [] } },
        },
      },
    ],
    [
      "get_entries",
      {
        entries: [
          { id: "E4", parentId: null, type: "anchor", timestamp: "TIME", name: "session-start", seq: 1 },
          { id: "E1", parentId: "E4", type: "model_change", timestamp: "TIME", provider: "custom", modelId: "other" },
          { id: "E5", parentId: "E1", type: "thinking_level_change", timestamp: "TIME", thinkingLevel: "high" },
          { id: "E2", parentId: "E5", type: "model_change", timestamp: "TIME", provider: "custom", modelId: "nope/x" },
          { id: "E3", parentId: "E2", type: "thinking_level_change", timestamp: "TIME", thinkingLevel: "low" },
        ],
        more: false,
      },
    ],
  ])
})
