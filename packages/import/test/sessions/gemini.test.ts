import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { geminiFolderOf, readGeminiSession } from "../../src/sessions/gemini.ts"
import { linesOf, outlineOf } from "./outline.ts"

const about = {
  sessionId: "0b5c7a52-0000-4000-8000-000000000003",
  projectHash: "h",
  startTime: "2026-11-01T10:00:00.000Z",
  lastUpdated: "2026-11-01T10:00:00.000Z",
}
const user = (id: string, content: unknown) => ({ id, timestamp: "2026-11-01T10:00:01.000Z", type: "user", content })
const reply = (id: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: "2026-11-01T10:00:02.000Z",
  type: "gemini",
  content,
  model: "gemini-2.5-pro",
  ...more,
})

function read(text: string, name = "session-2026-11-01T10-00-0b5c7a52.json") {
  const conversation = readGeminiSession(`/x/chats/${name}`, text, "/home/ann/app")
  assert.ok(conversation)
  return conversation
}

test("Gemini CLI, one object per file: text, thoughts, tokens, and other messages", () => {
  const tokens = { input: 1000, output: 20, cached: 400, thoughts: 5, tool: 0, total: 1025 }
  const conversation = read(
    JSON.stringify({
      ...about,
      summary: "Greeting",
      messages: [
        user("a", "Hi"),
        { id: "i", timestamp: about.startTime, type: "info", content: "Update available" },
        reply("b", "Hello.", {
          thoughts: [{ subject: "Plan", description: "Greet", timestamp: about.startTime }],
          tokens,
        }),
      ],
    }),
  )
  assert.deepEqual(outlineOf(conversation), ["->0 user: Hi", "0>1 assistant: (Plan\nGreet) | Hello."])
  assert.deepEqual(
    [conversation.id, conversation.cwd, conversation.title],
    [about.sessionId, "/home/ann/app", "Greeting"],
  )
  assert.deepEqual(conversation.untaken, { "messages of type info": 1 })
  const message = conversation.steps[1]?.message
  assert.ok(message?.role === "assistant")
  assert.deepEqual(message.usage, { input: 600, output: 25, cacheRead: 400, cacheWrite: 0, reasoning: 5 })
})

const call = (id: string, more: object = {}) => ({
  id,
  name: "read_file",
  args: { path: id },
  status: "success",
  result: [{ functionResponse: { id, name: "read_file", response: { output: `text of ${id}` } } }],
  ...more,
})

test("Gemini CLI, tools and images", () => {
  const conversation = read(
    JSON.stringify({
      ...about,
      messages: [
        user("a", [
          { text: "Look" },
          { inlineData: { mimeType: "image/png", data: "AA==" } },
          { fileData: { fileUri: "x" } },
        ]),
        reply("b", "", {
          toolCalls: [
            call("c1"),
            call("c2", { status: "error", result: [{ functionResponse: { response: { error: "no file" } } }] }),
            call("c3", { status: "cancelled", result: null }),
          ],
        }),
        reply("d", [{ text: "Done." }]),
      ],
    }),
  )
  assert.deepEqual(outlineOf(conversation), [
    "->0 user: Look | [image/png AA==]",
    '0>1 assistant: read_file#c1{"path":"c1"} | read_file#c2{"path":"c2"} | read_file#c3{"path":"c3"}',
    "1>2 result read_file#c1: text of c1",
    "2>3 error read_file#c2: no file",
    "3>4 assistant: Done.",
  ])
  assert.deepEqual(conversation.untaken, { "parts of type fileData": 1 })
})

test("Gemini CLI, a message per line: updates, a message written twice, and a rewind as a branch", () => {
  const conversation = read(
    linesOf(
      about,
      user("a", "One"),
      reply("b", "1"),
      user("c", "Two"),
      reply("d", "draft"),
      reply("d", "2"),
      { $rewindTo: "c" },
      user("e", "Three"),
      { $set: { summary: "Numbers" } },
      "{",
    ),
    "session-2026-11-01T10-00-0b5c7a52.jsonl",
  )
  assert.deepEqual(outlineOf(conversation).slice(1), [
    "0>1 assistant: 1",
    "1>2 user: Two",
    "2>3 assistant: 2",
    "1>4 user: Three",
  ])
  assert.deepEqual([conversation.title, conversation.untaken], ["Numbers", { "invalid lines": 1 }])
})

test("Gemini CLI, checkpoints of /chat save: the history alone, or in an object", () => {
  const history = [
    { role: "user", parts: [{ text: "Look" }] },
    {
      role: "model",
      parts: [
        { text: "Hm", thought: true },
        { functionCall: { name: "ls", args: { path: "a" } } },
        { functionCall: { name: "ls", args: { path: "b" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "ls", response: { output: "x" } } },
        { functionResponse: { name: "ls", response: { files: 2 } } },
      ],
    },
    { role: "model", parts: [{ text: "Done." }] },
  ]
  for (const value of [history, { history, authType: "gemini-api-key" }]) {
    const conversation = read(JSON.stringify(value), "checkpoint-work.json")
    const [, calls, first, second] = outlineOf(conversation)
    assert.match(calls ?? "", /^0>1 assistant: \(Hm\) \| ls#call-1-0\{"path":"a"\} \| ls#call-1-1/)
    assert.deepEqual([first, second], ["1>2 result ls#call-1-0: x", '2>3 result ls#call-1-1: {"files":2}'])
    assert.deepEqual([conversation.title, /^gemini-[0-9a-f]{16}$/.test(conversation.id)], ["work", true])
  }
})

test("Gemini CLI: a sub-agent's conversation and another file are none", () => {
  for (const text of [JSON.stringify({ ...about, kind: "subagent", messages: [] }), "[]", "{}", "text"])
    assert.equal(readGeminiSession("/x/chats/session-1.json", text, null), null)
})

test("the folder of a project of Gemini CLI: by file, by the list of projects, or by its hash", (t) => {
  const home = mkdtempSync(join(tmpdir(), "gong-gemini-"))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const hash = createHash("sha256").update("/home/ann/app").digest("hex")
  for (const project of ["named", "slug", hash, "other"])
    mkdirSync(join(home, "tmp", project, "chats"), { recursive: true })
  writeFileSync(join(home, "tmp", "named", ".project_root"), "/home/ann/named\n")
  writeFileSync(join(home, "projects.json"), JSON.stringify({ projects: { "/home/ann/listed": "slug" } }))
  const folder = (project: string) =>
    geminiFolderOf(join(home, "tmp", project, "chats", "session-1.json"), home, ["/home/ann/app"])
  assert.deepEqual(["named", "slug", hash, "other"].map(folder), [
    "/home/ann/named",
    "/home/ann/listed",
    "/home/ann/app",
    null,
  ])
})
