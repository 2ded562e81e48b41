import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { geminiFolderOf, readGeminiSession } from "../../src/sessions/gemini.ts"
import { linesOf, outlineOf } from "./outline.ts"

const user = (id: string, content: unknown, more: object = {}) => ({ id, type: "user", content, ...more })
const reply = (id: string, content: unknown, more: object = {}) => ({ id, type: "gemini", content, ...more })

const whole = (messages: unknown, more: object = {}, name = "session-1.json") =>
  readGeminiSession(`/x/chats/${name}`, JSON.stringify({ sessionId: "s", messages, ...more }), "/cwd")
const lines = (...all: readonly unknown[]) => readGeminiSession("/x/chats/session-1.jsonl", linesOf(...all), null)
const told = (conversation: ReturnType<typeof whole>) => {
  assert.ok(conversation)
  return [outlineOf(conversation), conversation.untaken]
}

test("a file without an id, or of a sub-agent, is none", () => {
  assert.equal(whole([], { sessionId: "" }), null)
  assert.equal(whole([], { kind: "subagent" }), null)
  assert.equal(whole([], { kind: "main" })?.id, "s")
  assert.equal(readGeminiSession("/x/session-1.json", "broken", null), null)
  const empty = whole([])
  assert.deepEqual([empty?.cwd, empty?.title, empty?.file], ["/cwd", null, "/x/chats/session-1.json"])
  assert.equal(whole([], { summary: "S" })?.title, "S")
})

test("contents are texts, parts, or lists of both; others are counted", () => {
  const inlineData = (mimeType: unknown, data: unknown) => ({ inlineData: { mimeType, data } })
  assert.deepEqual(
    told(
      whole([
        user("a", "text"),
        user("b", { text: "part" }),
        user("c", ["one", { text: "two" }, "", inlineData("image/png", "AA==")]),
        user("d", [inlineData("audio/wav", "A"), inlineData("image/png", 1), {}, 7]),
        user("e", ""),
        { id: "i", type: "info", content: "x" },
      ]),
    ),
    [
      ["->0 user: text", "0>1 user: part", "1>2 user: one | two | [image/png AA==]"],
      { "parts of type inlineData": 2, "parts of type none": 1, "messages of type info": 1 },
    ],
  )
})

test("a reply has its thoughts, texts and calls; the results follow it", () => {
  const response = (value: unknown) => ({ functionResponse: { response: value } })
  assert.deepEqual(
    told(
      whole([
        reply("a", ["said", { inlineData: { mimeType: "image/png", data: "A" } }], {
          thoughts: [{ subject: "S", description: "D" }, { description: "only" }],
          toolCalls: [
            { id: "1", name: "f", args: { a: 1 }, result: [response({ output: "out" })], status: "success" },
            { id: "2", args: 1, result: response({ error: "err" }), status: "error" },
            { id: "3", name: "g", result: response({ other: 1 }) },
            { id: "4", name: "g", result: response(null) },
            { id: "5", name: "g", result: "plain" },
            { id: "6", name: "g", result: null },
            { id: "7", name: "g" },
          ],
        }),
        user("b", "next"),
        reply("c", ""),
      ]),
    )[0],
    [
      '->0 assistant: (S\nD) | (only) | said | f#1{"a":1} | unknown#2{} | g#3{} | g#4{} | g#5{} | g#6{} | g#7{}',
      "0>1 result f#1: out",
      "1>2 error unknown#2: err",
      '2>3 result g#3: {"other":1}',
      "3>4 result g#4: ",
      "4>5 result g#5: plain",
      "5>6 user: next",
    ],
  )
})

test("the usage of a reply counts thoughts as output, and the cache not as input", () => {
  const usageOf = (tokens: unknown) => {
    const message = whole([reply("a", "x", { tokens })])?.steps[0]?.message
    assert.ok(message?.role === "assistant")
    const { input, output, cacheRead, reasoning } = message.usage
    return [input, output, cacheRead, reasoning, message.model.id]
  }
  assert.deepEqual(usageOf({ input: 10, output: 2, cached: 4, thoughts: 1 }), [6, 3, 4, 1, "unknown"])
  assert.deepEqual(usageOf({ input: 1, cached: 4 }), [0, 0, 4, 0, "unknown"])
  assert.deepEqual(usageOf(null), [0, 0, 0, 0, "unknown"])
})

test("lines: a message that is written again replaces the earlier one; a set of fields is merged", () => {
  const conversation = lines(
    { sessionId: "first", summary: "old" },
    user("a", "one"),
    user("b", "two"),
    user("a", "one again"),
    { $set: { summary: "new" } },
    { other: 1 },
    "broken",
  )
  assert.deepEqual([conversation?.id, conversation?.title], ["first", "new"])
  assert.deepEqual(told(conversation), [["->0 user: one again", "0>1 user: two"], { "invalid lines": 1 }])
  const replaced = lines({ sessionId: "s" }, user("a", "one"), { $set: { messages: [user("z", "whole")] } })
  assert.deepEqual(told(replaced)[0], ["->0 user: whole"])
  assert.deepEqual(told(lines({ sessionId: "s" }, user("a", "one"), { $set: { messages: [] } }))[0], ["->0 user: one"])
})

test("lines: a rewind branches before a message, or from the beginning", () => {
  const start = [{ sessionId: "s" }, user("a", "1"), user("b", "2"), user("c", "3")]
  const parent = (target: string) =>
    outlineOf(lines(...start, { $rewindTo: target }, user("d", "4")) ?? assert.fail()).at(-1)
  assert.deepEqual(["a", "b", "c", "none"].map(parent), ["->3 user: 4", "0>3 user: 4", "1>3 user: 4", "->3 user: 4"])
})

test("messages have their time, or that of the one before", () => {
  const conversation = whole([user("a", "1"), user("b", "2", { timestamp: "2026-11-01T10:00:00Z" }), user("c", "3")])
  assert.deepEqual(
    conversation?.steps.map(({ time }) => time),
    ["1970-01-01T00:00:00.000Z", "2026-11-01T10:00:00.000Z", "2026-11-01T10:00:00.000Z"],
  )
})

test("a checkpoint is a history of the API, with a title from its name", () => {
  const history = [
    { role: "user", parts: [{ text: "Hi" }] },
    {
      role: "model",
      parts: [
        { text: "think", thought: true },
        { text: "say", thought: "true" },
        { text: "" },
        { functionCall: { name: "f", args: { a: 1 } } },
        { functionCall: { id: "own", name: "g" } },
        { other: 1 },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "f", response: { output: "1" } } },
        { functionResponse: { id: "own", response: { output: "2" } } },
        { functionResponse: null },
        { text: "and" },
      ],
    },
    { role: "user", parts: [{ functionResponse: { response: { output: "3" } } }] },
    { role: "model", parts: [] },
  ]
  for (const given of [history, { history }]) {
    const file = "/x/checkpoint-my-tag.json"
    const conversation = readGeminiSession(file, JSON.stringify(given), null)
    assert.ok(conversation)
    const hash = createHash("sha256").update(file).digest("hex").slice(0, 16)
    assert.deepEqual([conversation.id, conversation.title], [`gemini-${hash}`, "my-tag"])
    assert.deepEqual(outlineOf(conversation), [
      "->0 user: Hi",
      '0>1 assistant: (think) | say | f#call-1-0{"a":1} | g#own{}',
      "1>2 result f#call-1-0: 1",
      "2>3 result unknown#own: 2",
      "3>4 user: and",
      "4>5 result unknown#unknown: 3",
    ])
  }
  assert.equal(readGeminiSession("/x/checkpoint.json", "[]", null)?.title, "")
})

test("the folder of a project is named by its file, by the list of projects, or found by its hash", (t) => {
  const hash = (path: string) => createHash("sha256").update(path).digest("hex")
  const root = folder(t, {
    "projects.json": JSON.stringify({ projects: { "/listed": "slug", "/hashed": "other" } }),
    "tmp/named/.project_root": " /named \n",
    "tmp/empty/.project_root": "\n",
  })
  const of = (project: string, file = "chats/session-1.json", folders: readonly string[] = ["/given"]) =>
    geminiFolderOf(join(root, "tmp", project, file), root, folders)
  assert.deepEqual(
    [of("named"), of("named", "checkpoint.json"), of("slug"), of(hash("/hashed")), of(hash("/given")), of("none")],
    ["/named", "/named", "/listed", "/hashed", "/given", null],
  )
  assert.equal(of("empty"), null)
  assert.equal(geminiFolderOf("/x/slug/session-1.json", "/none", []), null)
})
