import assert from "node:assert/strict"
import { test } from "node:test"
import { readClaudeSession } from "../../src/sessions/claude.ts"
import { linesOf, outlineOf } from "./outline.ts"

const epoch = "1970-01-01T00:00:00.000Z"
const line = (type: string, uuid: string, parentUuid: string | null, content: unknown, more: object = {}) => ({
  type,
  uuid,
  parentUuid,
  message: { role: type, content, ...(type === "assistant" && { id: `m-${uuid}` }) },
  ...more,
})
const user = (uuid: string, parent: string | null, content: unknown, more: object = {}) =>
  line("user", uuid, parent, content, more)
const reply = (uuid: string, parent: string | null, content: unknown, more: object = {}) =>
  line("assistant", uuid, parent, content, more)
const call = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "Read", input: {}, ...more })
const result = (id: string, content: unknown = id) => ({ type: "tool_result", tool_use_id: id, content })

const read = (...lines: readonly unknown[]) => readClaudeSession("/x/id.jsonl", linesOf(...lines))

/** The outline of a conversation, and what was not taken of it. */
const told = (...lines: readonly unknown[]) => {
  const conversation = read(...lines)
  return [outlineOf(conversation), conversation.untaken]
}

test("every kind of block of a reply; unknown and malformed ones are counted", () => {
  const blocks = [
    { type: "text", text: "t" },
    { type: "text", text: 1 },
    { type: "thinking", thinking: "h", signature: "s" },
    { type: "thinking", signature: 1 },
    { type: "redacted_thinking", data: "opaque" },
    { type: "redacted_thinking", data: 1 },
    call("c1", { name: "", input: 1 }),
    call("c2", { input: { a: 1 } }),
    { type: "tool_use", id: 1 },
    { type: "other" },
    {},
    1,
  ]
  const { steps, untaken } = read(reply("a", null, blocks))
  assert.deepEqual(steps[0]?.message.content, [
    { type: "text", text: "t" },
    { type: "thinking", text: "h", signature: "s" },
    { type: "thinking", text: "" },
    { type: "thinking", text: "", signature: "opaque", redacted: true },
    { type: "tool_call", id: "c1", name: "unknown", arguments: {} },
    { type: "tool_call", id: "c2", name: "Read", arguments: { a: 1 } },
  ])
  assert.deepEqual(untaken, {
    "blocks of type text": 1,
    "blocks of type redacted_thinking": 1,
    "blocks of type tool_use": 1,
    "blocks of type other": 1,
    "blocks of type undefined": 1,
  })
})

test("a reply may be a text, or have no content, usage, model or id", () => {
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 }
  const { steps } = read(
    reply("a", null, "text"),
    reply("b", "a", "", { message: { content: "", usage, model: "m" } }),
    reply("c", "b", null, { message: { content: "x", usage: 1 } }),
  )
  const messages = steps.map(({ message }) => {
    assert.ok(message.role === "assistant")
    const { input, output, cacheRead, cacheWrite } = message.usage
    return [message.content, message.model.id, [input, output, cacheRead, cacheWrite]]
  })
  assert.deepEqual(messages, [
    [[{ type: "text", text: "text" }], "unknown", [0, 0, 0, 0]],
    [[], "m", [1, 2, 3, 4]],
    [[{ type: "text", text: "x" }], "unknown", [0, 0, 0, 0]],
  ])
})

test("every kind of block of the user; empty texts are none", () => {
  const { steps, untaken } = read(
    user("a", null, [
      { type: "text", text: "t" },
      { type: "text", text: "" },
      { type: "image", source: { data: "AA==" } },
      { type: "image", source: { data: "BB==", media_type: "image/gif" } },
      { type: "image", source: { data: 1 } },
      { type: "image", source: null },
      { type: "document" },
    ]),
    user("b", "a", ""),
    user("c", "b", []),
    user("d", "c", "said"),
  )
  assert.deepEqual(steps[0]?.message.content, [
    { type: "text", text: "t" },
    { type: "image", mimeType: "image/png", data: "AA==" },
    { type: "image", mimeType: "image/gif", data: "BB==" },
  ])
  assert.deepEqual(untaken, { "blocks of type image": 2, "blocks of type document": 1 })
  assert.deepEqual(outlineOf({ steps }).slice(1), ["0>1 user: said"])
})

test("several results in one line follow each other, and what the user said beside them is behind them", () => {
  assert.deepEqual(
    told(
      user("a", null, "Go"),
      reply("b", "a", [call("c1"), call("c2")]),
      user("c", "b", [result("c1"), { type: "text", text: "Stop" }, result("c2"), result("none")]),
      reply("d", "c", [{ type: "text", text: "Fine" }]),
    ),
    [
      [
        "->0 user: Go",
        "0>1 assistant: Read#c1{} | Read#c2{}",
        "1>2 result Read#c1: c1",
        "2>3 result Read#c2: c2",
        "3>4 result unknown#none: none",
        "4>5 user: Stop",
        "5>6 assistant: Fine",
      ],
      {},
    ],
  )
})

test("keys of several steps of one line are different", () => {
  const { steps } = read(
    reply("b", null, [call("c1")]),
    user("c", "b", [result("c1"), result("c1"), { type: "text", text: "t" }]),
  )
  assert.deepEqual(
    steps.map(({ key, parent }) => [key, parent]),
    [
      ["b", null],
      ["c", "b"],
      ["c/1", "c"],
      ["c/said", "c/1"],
    ],
  )
})

test("results without a reply begin a branch; a text after results of parallel calls follows the last one", () => {
  assert.deepEqual(told(user("a", "none", [result("x", null)]))[0], ["->0 result unknown#x: "])
  assert.deepEqual(
    told(
      reply("a", null, [call("c1"), call("c2")]),
      user("b", "a", [result("c1")]),
      user("c", "a", [result("c2")]),
      user("d", "b", "Text"),
    )[0],
    ["->0 assistant: Read#c1{} | Read#c2{}", "0>1 result Read#c1: c1", "1>2 result Read#c2: c2", "2>3 user: Text"],
  )
})

test("a line without a message stands for the one before it", () => {
  assert.deepEqual(
    told(
      user("a", null, "A"),
      { type: "progress", uuid: "p", parentUuid: "a" },
      { type: "attachment", uuid: "q", parentUuid: "p", message: {} },
      { uuid: "r", parentUuid: "q" },
      user("b", "r", "B"),
    ),
    [
      ["->0 user: A", "0>1 user: B"],
      { "lines of type progress": 1, "lines of type attachment": 1, "lines without a type": 1 },
    ],
  )
})

test("the last title counts; one of a line with an id is none; titles are not counted", () => {
  const { title, untaken } = read(
    { type: "summary", summary: "S" },
    { type: "ai-title", aiTitle: "A" },
    { type: "custom-title", customTitle: "C", aiTitle: "A", summary: "S" },
    { type: "summary", summary: "" },
    user("a", null, "x", { summary: "not a title" }),
  )
  assert.deepEqual([title, untaken], ["C", {}])
  assert.equal(read({ type: "ai-title", aiTitle: "A", summary: "S" }).title, "A")
  assert.deepEqual([read().title, read().cwd, read().steps], [null, null, []])
})

test("the first folder counts; a step without a time has that of the one before it", () => {
  const { cwd, steps, id, file } = read(
    { type: "x" },
    user("a", null, "1", { cwd: "/one" }),
    user("b", "a", "2", { cwd: "/two", timestamp: "2026-11-01T10:00:00Z" }),
    user("c", "b", "3", { timestamp: "never" }),
  )
  assert.deepEqual([cwd, id, file], ["/one", "id", "/x/id.jsonl"])
  assert.deepEqual(
    steps.map(({ time }) => time),
    [epoch, "2026-11-01T10:00:00.000Z", "2026-11-01T10:00:00.000Z"],
  )
})

test("commands of Claude Code are recognized by their tag at the beginning, of the user only", () => {
  for (const tag of ["command-name", "command-message", "local-command-stdout", "bash-stdout", "bash-stderr"])
    assert.deepEqual(told(user("a", null, [{ type: "text", text: `<${tag}>` }])), [
      [],
      { "commands of Claude Code": 1 },
    ])
  assert.equal(read(user("a", null, "x <command-name>")).steps.length, 1)
  assert.equal(read(user("a", null, "<bash-input>")).steps.length, 1)
  assert.equal(read(reply("a", null, "<command-name>")).steps.length, 1)
})
