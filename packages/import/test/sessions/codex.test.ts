import assert from "node:assert/strict"
import { test } from "node:test"
import { readCodexSession } from "../../src/sessions/codex.ts"
import { linesOf, outlineOf } from "./outline.ts"

const id = "0b5c7a52-0000-4000-8000-000000000002"
const file = `/x/2026/11/01/rollout-2026-11-01T10-00-00-${id}.jsonl`
const line = (type: string, payload: object) => ({ timestamp: "2026-11-01T10:00:00.000Z", type, payload })
const item = (payload: object) => line("response_item", payload)
const said = (text: string, role = "user") =>
  item({ type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] })
const meta = line("session_meta", {
  id,
  timestamp: "2026-11-01T10:00:00.000Z",
  cwd: "/home/ann/app",
  originator: "codex_cli_rs",
  cli_version: "0.169.0",
  instructions: null,
})
const turn = line("turn_context", { cwd: "/home/ann/app", approval_policy: "never", model: "gpt-5.5" })

const read = (...lines: readonly unknown[]) => readCodexSession(file, linesOf(...lines))

test("Codex, text: folder, model and usage; its own texts are not taken", () => {
  const conversation = read(
    meta,
    said("<environment_context>\n<cwd>/home/ann/app</cwd>\n</environment_context>"),
    item({ type: "message", role: "developer", content: [{ type: "input_text", text: "Rules" }] }),
    turn,
    said("Hi"),
    line("event_msg", { type: "user_message", message: "Hi" }),
    said("Hello.", "assistant"),
    line("event_msg", { type: "agent_message", message: "Hello." }),
    line("event_msg", {
      type: "token_count",
      info: {
        last_token_usage: {
          input_tokens: 1000,
          cached_input_tokens: 400,
          output_tokens: 20,
          reasoning_output_tokens: 5,
        },
      },
    }),
    line("event_msg", { type: "task_complete" }),
  )
  assert.deepEqual(outlineOf(conversation), ["->0 user: Hi", "0>1 assistant: Hello."])
  assert.deepEqual([conversation.id, conversation.cwd], [id, "/home/ann/app"])
  assert.deepEqual(conversation.untaken, { "texts of Codex itself": 2, "events of type task_complete": 1 })
  const message = conversation.steps[1]?.message
  assert.ok(message?.role === "assistant")
  assert.deepEqual(message.model, { provider: "openai", id: "gpt-5.5", api: "openai-responses" })
  assert.deepEqual(message.usage, { input: 600, output: 20, cacheRead: 400, cacheWrite: 0, reasoning: 5 })
})

test("Codex, tools: every form of a call and of its output", () => {
  const conversation = read(
    meta,
    turn,
    item({
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "Look" },
        { type: "input_image", image_url: "data:image/png;base64,AA==" },
      ],
    }),
    item({ type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }], encrypted_content: "x" }),
    item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" }),
    item({ type: "function_call", name: "view_image", arguments: '{"path":"a.png"}', call_id: "c2" }),
    item({
      type: "function_call_output",
      call_id: "c1",
      output: '{"output":"none\\n","metadata":{"exit_code":2,"duration_seconds":0}}',
    }),
    item({
      type: "function_call_output",
      call_id: "c2",
      output: [
        { type: "input_text", text: "image" },
        { type: "input_image", image_url: "data:image/png;base64,BB==" },
      ],
    }),
    item({
      type: "custom_tool_call",
      name: "apply_patch",
      input: "*** Begin Patch",
      call_id: "c3",
      status: "completed",
    }),
    item({ type: "custom_tool_call_output", call_id: "c3", output: "Success" }),
    item({ type: "local_shell_call", call_id: "c4", status: "completed", action: { type: "exec", command: ["pwd"] } }),
    item({ type: "function_call_output", call_id: "c4", output: { content: "/home", success: false } }),
    item({ type: "function_call", name: "shell", arguments: "{broken", call_id: "c5" }),
    item({ type: "web_search_call", status: "completed" }),
    said("Done.", "assistant"),
  )
  assert.deepEqual(outlineOf(conversation), [
    "->0 user: Look | [image/png AA==]",
    '0>1 assistant: (Hm) | shell#c1{"command":["ls"]} | view_image#c2{"path":"a.png"}',
    "1>2 error shell#c1: none\n",
    "2>3 result view_image#c2: image | [image/png BB==]",
    '3>4 assistant: apply_patch#c3{"input":"*** Begin Patch"}',
    "4>5 result apply_patch#c3: Success",
    '5>6 assistant: shell#c4{"type":"exec","command":["pwd"]}',
    "6>7 error shell#c4: /home",
    "7>8 assistant: shell#c5{} | Done.",
  ])
  assert.deepEqual(conversation.untaken, { "encrypted reasoning": 1, "items of type web_search_call": 1 })
})

test("Codex before 0.2: meta data and items without an envelope", () => {
  const conversation = read(
    { id, timestamp: "2025-06-01T10:00:00.000Z", instructions: "x", git: {} },
    { record_type: "state" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] },
  )
  assert.deepEqual(outlineOf(conversation), ["->0 user: Hi", "0>1 assistant: Hello."])
  assert.deepEqual(
    [conversation.id, conversation.cwd, conversation.steps[0]?.time],
    [id, null, "2025-06-01T10:00:00.000Z"],
  )
  assert.deepEqual(conversation.untaken, { "lines of type state": 1 })
})

test("Codex, branches: turns that were undone stay as a branch", () => {
  const conversation = read(
    meta,
    turn,
    said("One"),
    said("1", "assistant"),
    said("Two"),
    said("2", "assistant"),
    line("event_msg", { type: "thread_rolled_back", num_turns: 1 }),
    said("Three"),
    said("3", "assistant"),
  )
  assert.deepEqual(outlineOf(conversation).slice(2), [
    "1>2 user: Two",
    "2>3 assistant: 2",
    "1>4 user: Three",
    "4>5 assistant: 3",
  ])
})

test("Codex, compaction and broken lines", () => {
  const conversation = read(
    meta,
    turn,
    said("Long"),
    said("work", "assistant"),
    line("compacted", { message: "Summary" }),
    "{",
    said("Next"),
    said("Right.", "assistant"),
  )
  assert.deepEqual(outlineOf(conversation).slice(2), ["->2 user: Summary", "2>3 user: Next", "3>4 assistant: Right."])
  assert.deepEqual(conversation.untaken, { "invalid lines": 1 })
})
