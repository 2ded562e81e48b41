import assert from "node:assert/strict"
import { test } from "node:test"
import { readCodexSession } from "../../src/sessions/codex.ts"
import { linesOf, outlineOf } from "./outline.ts"

const id = "0b5c7a52-0000-4000-8000-000000000002"
const file = `/x/rollout-2026-11-01T10-00-00-${id}.jsonl`
const line = (type: string, payload: object, timestamp?: unknown) => ({ timestamp, type, payload })
const item = (payload: object) => line("response_item", payload)
const event = (payload: object) => line("event_msg", payload)
const said = (text: string) => item({ type: "message", role: "user", content: [{ type: "input_text", text }] })
const answered = (text: string) =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] })

const read = (...lines: readonly unknown[]) => readCodexSession(file, linesOf(...lines))
const told = (...lines: readonly unknown[]) => {
  const conversation = read(...lines)
  return [outlineOf(conversation), conversation.untaken]
}

test("the id is that of the meta data, otherwise of the file; the folder that of the meta data, otherwise of the first turn", () => {
  const other = line("turn_context", { cwd: "/turn", model: "m" })
  for (const [lines, expected] of [
    [
      [line("session_meta", { id: "other", cwd: "/meta" }), other],
      ["other", "/meta"],
    ],
    [
      [other, line("turn_context", { cwd: "/later" })],
      [id, "/turn"],
    ],
    [[line("session_meta", { id: "", cwd: 1 })], [id, null]],
    [[{ id: "bare", timestamp: "2026-11-01T10:00:00Z" }], ["bare", null]],
    [[], [id, null]],
  ] as const) {
    const conversation = read(...lines)
    assert.deepEqual([conversation.id, conversation.cwd], expected)
  }
  assert.equal(readCodexSession("/x/rollout-1.jsonl", "").id, "")
  assert.equal(readCodexSession(`/x/rollout-${id}.jsonl.bak`, "").id, "")
})

test("bare items of older versions, and their states", () => {
  assert.deepEqual(
    told(
      { id: "bare" },
      { record_type: "state" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
    ),
    [["->0 user: Hi"], { "lines of type state": 1 }],
  )
})

test("what is not taken is counted by kind", () => {
  assert.deepEqual(
    read(
      "broken {",
      line("other", {}),
      item({ type: "web_search_call" }),
      item({}),
      event({ type: "task_started" }),
      event({ type: "user_message" }),
      event({ type: "agent_message" }),
      event({ type: "agent_reasoning" }),
      item({ type: "message", role: "user", content: [{ type: "input_file" }, 1] }),
      item({ type: "reasoning", summary: [], encrypted_content: "x" }),
      item({ type: "reasoning", summary: [] }),
    ).untaken,
    {
      "invalid lines": 1,
      "lines of type other": 1,
      "items of type web_search_call": 1,
      "items of type undefined": 1,
      "events of type task_started": 1,
      "blocks of type input_file": 1,
      "encrypted reasoning": 1,
    },
  )
})

test("texts that Codex wrote itself are recognized at their beginning", () => {
  for (const text of [
    "<environment_context>",
    " \n<user_instructions>",
    "<permissions instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions for /x",
  ])
    assert.deepEqual(told(said(text)), [[], { "texts of Codex itself": 1 }])
  assert.deepEqual(told(said("x <environment_context>")), [["->0 user: x <environment_context>"], {}])
  const both = item({ type: "message", role: "user", content: ["<INSTRUCTIONS>", "Hi", ""].map((text) => ({ text })) })
  assert.deepEqual(told(both), [["->0 user: Hi"], { "texts of Codex itself": 1 }])
  assert.deepEqual(told(item({ type: "message", role: "system", content: [{ text: "Hi" }] })), [
    [],
    { "texts of Codex itself": 1 },
  ])
})

test("images are blocks, by their address in either form", () => {
  const url = "data:image/png;base64,AA=="
  assert.deepEqual(
    told(
      item({
        type: "message",
        role: "user",
        content: [{ image_url: url }, { image_url: { url } }, { type: "input_image", image_url: "https://x" }],
      }),
    ),
    [["->0 user: [image/png AA==] | [image/png AA==]"], { "blocks of type input_image": 1 }],
  )
})

test("reasoning, texts and calls between two inputs are one reply", () => {
  assert.deepEqual(
    told(
      item({ type: "reasoning", summary: [{ text: "one" }, { text: 1 }, { text: "two" }] }),
      item({ type: "reasoning", summary: [{ text: "" }] }),
      answered("Text"),
      item({ type: "message", role: "assistant", content: [{ text: 1 }] }),
      item({ type: "function_call", call_id: "c1", name: "f", arguments: '{"a":1}' }),
      item({ type: "function_call", id: "c2", name: "f", arguments: { b: 2 } }),
      item({ type: "custom_tool_call", call_id: "c3", input: "patch" }),
      item({ type: "local_shell_call", call_id: "c4", action: { command: ["ls"] } }),
      item({ type: "function_call", arguments: "[1]" }),
      said("Next"),
      said("More"),
    )[0],
    [
      '->0 assistant: (one\n\n\n\ntwo) | Text | f#c1{"a":1} | f#c2{"b":2} | unknown#c3{"input":"patch"} | shell#c4{"command":["ls"]} | unknown#{}',
      "0>1 user: Next",
      "1>2 user: More",
    ],
  )
  const broken = read(item({ type: "function_call", call_id: "c", name: "f", arguments: "{" })).steps[0]?.message
  assert.deepEqual(broken?.content, [{ type: "tool_call", id: "c", name: "f", arguments: {}, broken: "{" }])
})

test("outputs in each form, with their errors", () => {
  const call = item({ type: "function_call", call_id: "c", name: "f", arguments: "{}" })
  const output = (value: unknown, type = "function_call_output") => item({ type, call_id: "c", output: value })
  for (const [value, text] of [
    ["plain", "result f#c: plain"],
    [[{ type: "input_text", text: "listed" }], "result f#c: listed"],
    [{ content: "in an object" }, "result f#c: in an object"],
    [{ content: 1, success: true }, "result f#c: "],
    [{ content: "failed", success: false }, "error f#c: failed"],
    ['{"output":"old","metadata":{"exit_code":0}}', "result f#c: old"],
    ['{"output":"old","metadata":{"exit_code":2}}', "error f#c: old"],
    ['{"output":"old","metadata":{"exit_code":"2"}}', "result f#c: old"],
    ['{"output":"old"}', "result f#c: old"],
    ['{"output":1}', 'result f#c: {"output":1}'],
    ['{"other":"x"}', 'result f#c: {"other":"x"}'],
    ['{"output', 'result f#c: {"output'],
    [null, "result f#c: "],
  ] as const)
    for (const type of ["function_call_output", "custom_tool_call_output"])
      assert.equal(outlineOf(read(call, output(value, type)))[1], `0>1 ${text}`)
  assert.deepEqual(outlineOf(read(item({ type: "function_call_output", output: "x" }))), ["->0 result unknown#: x"])
})

test("usage belongs to the reply that is open, or to the last one; without reads from a cache that exceed the input", () => {
  const count = (usage: unknown) => event({ type: "token_count", info: { last_token_usage: usage } })
  const usageOf = (...lines: readonly unknown[]) => {
    const message = read(...lines).steps.find((one) => one.message.role === "assistant")?.message
    assert.ok(message?.role === "assistant")
    const { input, output, cacheRead, reasoning } = message.usage
    return [input, output, cacheRead, reasoning]
  }
  const usage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2, reasoning_output_tokens: 1 }
  assert.deepEqual(usageOf(answered("a"), count(usage)), [6, 2, 4, 1])
  assert.deepEqual(usageOf(answered("a"), said("b"), count(usage)), [6, 2, 4, 1])
  assert.deepEqual(usageOf(answered("a"), count(usage), answered("b")), [6, 2, 4, 1])
  assert.deepEqual(usageOf(count(usage), answered("a")), [0, 0, 0, 0])
  assert.deepEqual(usageOf(answered("a"), count(null), event({ type: "token_count", info: null })), [0, 0, 0, 0])
  assert.deepEqual(usageOf(answered("a"), count({ input_tokens: 1, cached_input_tokens: 3 })), [0, 0, 3, 0])
})

test("a summary begins a branch, an empty one does not; undone turns are branched before", () => {
  assert.deepEqual(
    told(said("a"), answered("1"), line("compacted", { message: "S" }), said("b"), line("compacted", {}), said("c"))[0],
    ["->0 user: a", "0>1 assistant: 1", "->2 user: S", "2>3 user: b", "3>4 user: c"],
  )
  const back = (turns: unknown) => event({ type: "thread_rolled_back", num_turns: turns })
  const turns = [said("a"), answered("1"), said("b"), answered("2")]
  const parent = (undone: unknown) => outlineOf(read(...turns, back(undone), said("c"))).at(-1)
  assert.deepEqual([0, 1, 2, 3, "x"].map(parent), [
    "3>4 user: c",
    "1>4 user: c",
    "->4 user: c",
    "->4 user: c",
    "3>4 user: c",
  ])
})

test("steps have the time of their line, of its payload, or of the line before", () => {
  const message = { type: "message", role: "user", content: [{ text: "x" }] }
  const { steps } = read(
    line("response_item", message),
    line("response_item", message, "2026-11-01T10:00:01Z"),
    line("response_item", { ...message, timestamp: "2026-11-01T10:00:02Z" }),
    line("response_item", message),
  )
  assert.deepEqual(
    steps.map(({ time }) => time),
    ["1970-01-01T00:00:00.000Z", "2026-11-01T10:00:01.000Z", "2026-11-01T10:00:02.000Z", "2026-11-01T10:00:02.000Z"],
  )
})
