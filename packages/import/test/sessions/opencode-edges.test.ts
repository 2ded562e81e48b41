import assert from "node:assert/strict"
import { test } from "node:test"
import { readOpencodeSession } from "../../src/sessions/opencode.ts"
import { outlineOf } from "./outline.ts"

type Row = Readonly<Record<string, unknown>>
const user = (id: string, ...parts: readonly Row[]) => ({ info: { id, role: "user" } as Row, parts })
const reply = (id: string, parts: readonly Row[], more: Row = {}) => ({
  info: { id, role: "assistant", ...more } as Row,
  parts,
})
const text = (value: unknown, more: Row = {}): Row => ({ type: "text", text: value, ...more })
const tool = (callID: unknown, state: unknown, more: Row = {}): Row => ({
  type: "tool",
  callID,
  tool: "f",
  state,
  ...more,
})

const read = (messages: readonly ReturnType<typeof user>[], info: Row = {}) =>
  readOpencodeSession({ file: "/f", info: { id: "s", ...info }, messages })
const told = (messages: readonly ReturnType<typeof user>[], info: Row = {}) => {
  const conversation = read(messages, info)
  assert.ok(conversation)
  return [outlineOf(conversation), conversation.untaken]
}

test("a session has its folder and title; one with a parent is of a sub-agent", () => {
  const conversation = read([], { directory: "/d", title: "T", parentID: "" })
  assert.deepEqual(
    [conversation?.id, conversation?.file, conversation?.cwd, conversation?.title],
    ["s", "/f", "/d", "T"],
  )
  assert.deepEqual([read([])?.cwd, read([])?.title], [null, null])
  assert.equal(read([], { parentID: "p" }), null)
})

test("every kind of part of the user; others are counted, ignored texts too", () => {
  const url = "data:image/png;base64,AA=="
  assert.deepEqual(
    told([
      user("1", text("a"), text(""), text(1), text("hidden", { ignored: true }), text("shown", { ignored: 1 })),
      user("2", { type: "file", url }, { type: "file", url: "file:///x" }, { type: "image", url }),
      user("3", text("")),
    ]),
    [
      ["->0 user: a | shown", "0>1 user: [image/png AA==]"],
      { "parts of type text": 1, "parts of type file": 1, "parts of type image": 1 },
    ],
  )
})

test("every kind of part of a reply; results follow it with their images", () => {
  const image = { url: "data:image/png;base64,AA==" }
  assert.deepEqual(
    told([
      reply("1", [
        { type: "step-start" },
        { type: "reasoning", text: "think" },
        { type: "reasoning", text: "" },
        text("say"),
        text(""),
        tool("c1", { input: { a: 1 }, status: "completed", output: "out", attachments: [image, { url: "x" }, 1] }),
        tool("c2", { input: 1, status: "error", error: "why" }, { tool: "" }),
        tool("c3", { status: "running", output: "not yet" }),
        tool("c4", null),
        tool("c5", { status: "completed" }),
        tool("c6", { status: "error" }),
        tool(1, { status: "completed" }),
        { type: "patch" },
        text(1),
        { type: "reasoning" },
        { type: "step-finish" },
      ]),
      reply("2", [text("")]),
      user("3", text("next")),
    ]),
    [
      [
        '->0 assistant: (think) | say | f#c1{"a":1} | unknown#c2{} | f#c3{} | f#c4{} | f#c5{} | f#c6{}',
        "0>1 result f#c1: out | [image/png AA==]",
        "1>2 error unknown#c2: why",
        "2>3 result f#c5: ",
        "3>4 error f#c6: ",
        "4>5 user: next",
      ],
      { "parts of type tool": 1, "parts of type patch": 1, "parts of type text": 1, "parts of type reasoning": 1 },
    ],
  )
})

test("a reply has its model, usage, cost and end", () => {
  const messageOf = (more: Row) => {
    const message = read([reply("1", [text("x")], more)])?.steps[0]?.message
    assert.ok(message?.role === "assistant")
    return message
  }
  const tokens = { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } }
  const full = messageOf({ providerID: "anthropic", modelID: "m", tokens, cost: 0.5 })
  assert.deepEqual(
    [full.model, full.usage, full.cost, full.stopReason],
    [
      { provider: "anthropic", id: "m", api: "anthropic-messages" },
      { input: 1, output: 5, cacheRead: 4, cacheWrite: 5, reasoning: 3 },
      0.5,
      "stop",
    ],
  )
  const bare = messageOf({ tokens: { input: 1 }, cost: "1", error: { name: "OtherError" } })
  assert.deepEqual(
    [bare.model, bare.usage, bare.cost, bare.stopReason],
    [
      { provider: "unknown", id: "unknown", api: "openai-completions" },
      { input: 1, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      null,
      "stop",
    ],
  )
  assert.equal(messageOf({ error: { name: "MessageAbortedError" } }).stopReason, "aborted")
  assert.deepEqual(messageOf({ tokens: 1 }).usage, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
})

test("a summary begins a branch with its texts; an empty one is left out", () => {
  assert.deepEqual(
    told([
      user("1", text("a")),
      reply("2", [text("one"), text(1), { type: "reasoning", text: "no" }, text("two")], { summary: true }),
      reply("3", [text("b")]),
      reply("4", [], { summary: true }),
      reply("5", [text("c")], { summary: false }),
    ])[0],
    ["->0 user: a", "->1 user: one\n\ntwo", "1>2 assistant: b", "2>3 assistant: c"],
  )
})

test("messages from the reverted one on are undone", () => {
  const messages = ["1", "2", "3"].map((id) => user(id, text(id)))
  assert.deepEqual(told(messages, { revert: { messageID: "2" } }), [["->0 user: 1"], { "undone messages": 2 }])
  assert.deepEqual(told(messages, { revert: { messageID: "" } })[1], {})
  assert.deepEqual(told(messages, { revert: "2" })[1], {})
})

test("messages have their time, or that of the one before", () => {
  const timed = (id: string, time: unknown) => ({ info: { id, role: "user", time } as Row, parts: [text("x")] })
  const times = read([timed("1", null), timed("2", { created: 1_000 }), timed("3", {})])?.steps.map(({ time }) => time)
  assert.deepEqual(times, ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:01.000Z", "1970-01-01T00:00:01.000Z"])
})
