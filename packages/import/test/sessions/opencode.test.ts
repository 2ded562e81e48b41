import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test, type TestContext } from "node:test"
import { opencodeSessions, readOpencodeSession } from "../../src/sessions/opencode.ts"
import type { Conversation } from "../../src/sessions/conversation.ts"
import { outlineOf } from "./outline.ts"

type Rows = readonly { readonly info: Readonly<Record<string, unknown>>; readonly parts: readonly object[] }[]

const info = (more: object = {}) => ({
  id: "ses_1",
  projectID: "p",
  directory: "/home/ann/app",
  title: "Greeting",
  version: "1.0.0",
  time: { created: 1_790_000_000_000 },
  ...more,
})
const user = (id: string, ...parts: readonly object[]) => ({
  info: { id, role: "user", time: { created: 1_790_000_000_001 } },
  parts,
})
const reply = (id: string, parts: readonly object[], more: object = {}) => ({
  info: {
    id,
    role: "assistant",
    time: { created: 1_790_000_000_002 },
    modelID: "claude-sonnet-4-5",
    providerID: "anthropic",
    cost: 0.01,
    tokens: { input: 3, output: 5, reasoning: 2, cache: { read: 7, write: 11 } },
    ...more,
  },
  parts,
})
const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more })

function read(session: object, messages: Rows) {
  const conversation = readOpencodeSession({
    file: "/x",
    info: session as Record<string, unknown>,
    messages: messages as never,
  })
  assert.ok(conversation)
  return conversation
}

test("opencode, text: folder, title, cost and usage", () => {
  const conversation = read(info(), [
    user("msg_1", text("Hi")),
    reply("msg_2", [
      { type: "step-start" },
      { type: "reasoning", text: "Hm" },
      text("Hello."),
      { type: "step-finish" },
    ]),
  ])
  assert.deepEqual(outlineOf(conversation), ["->0 user: Hi", "0>1 assistant: (Hm) | Hello."])
  assert.deepEqual(
    [conversation.id, conversation.cwd, conversation.title, conversation.untaken],
    ["ses_1", "/home/ann/app", "Greeting", {}],
  )
  const message = conversation.steps[1]?.message
  assert.ok(message?.role === "assistant")
  assert.deepEqual([message.model.provider, message.model.api, message.cost], ["anthropic", "anthropic-messages", 0.01])
  assert.deepEqual(message.usage, { input: 3, output: 7, cacheRead: 7, cacheWrite: 11, reasoning: 2 })
})

test("opencode, tools: completed with an image, failed, and not ended", () => {
  const tool = (callID: string, state: object) => ({
    type: "tool",
    callID,
    tool: "bash",
    state: { input: { command: callID }, ...state },
  })
  const conversation = read(info(), [
    user(
      "msg_1",
      text("Look"),
      { type: "file", mime: "image/png", url: "data:image/png;base64,AA==" },
      { type: "file", url: "file:///a" },
    ),
    reply("msg_2", [
      tool("c1", { status: "completed", output: "a", attachments: [{ url: "data:image/png;base64,BB==" }] }),
      tool("c2", { status: "error", error: "refused" }),
      tool("c3", { status: "running" }),
      { type: "patch", files: [] },
    ]),
  ])
  assert.deepEqual(outlineOf(conversation), [
    "->0 user: Look | [image/png AA==]",
    '0>1 assistant: bash#c1{"command":"c1"} | bash#c2{"command":"c2"} | bash#c3{"command":"c3"}',
    "1>2 result bash#c1: a | [image/png BB==]",
    "2>3 error bash#c2: refused",
  ])
  assert.deepEqual(conversation.untaken, { "parts of type file": 1, "parts of type patch": 1 })
})

test("opencode: undone messages, a summary, a stopped reply; a session of a sub-agent is none", () => {
  const conversation = read(info({ revert: { messageID: "msg_5" } }), [
    user("msg_1", text("Long"), text("hidden", { ignored: true })),
    reply("msg_2", [text("Summary")], { summary: true }),
    user("msg_3", text("Next")),
    reply("msg_4", [text("Ri")], { error: { name: "MessageAbortedError" } }),
    user("msg_5", text("Undone")),
  ])
  assert.deepEqual(outlineOf(conversation), [
    "->0 user: Long",
    "->1 user: Summary",
    "1>2 user: Next",
    "2>3 assistant: Ri",
  ])
  const message = conversation.steps[3]?.message
  assert.equal(message?.role === "assistant" && message.stopReason, "aborted")
  assert.deepEqual(conversation.untaken, { "parts of type text": 1, "undone messages": 1 })
  assert.equal(readOpencodeSession({ file: "/x", info: info({ parentID: "ses_0" }), messages: [] }), null)
})

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gong-opencode-"))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const messages: Rows = [user("msg_1", text("Hi")), reply("msg_2", [text("Hel"), text("lo.")])]

function writeFiles(folder: string, session: { readonly id: string }): void {
  const put = (path: string, value: object) => {
    mkdirSync(dirname(join(folder, "storage", path)), { recursive: true })
    writeFileSync(join(folder, "storage", path), JSON.stringify(value))
  }
  put(`session/p/${session.id}.json`, session)
  for (const { info: message, parts } of messages) {
    put(`message/${session.id}/${String(message["id"])}.json`, message)
    for (const [at, part] of parts.entries()) put(`part/${String(message["id"])}/prt_${at}.json`, part)
  }
}

function writeDatabase(folder: string): void {
  const database = new DatabaseSync(join(folder, "opencode.db"))
  database.exec(`CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, revert text, time_created integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text)`)
  database
    .prepare("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run("ses_1", "p", null, "/home/ann/app", "Stored", null, 1_790_000_000_000)
  for (const { info: message, parts } of messages) {
    const { id, ...data } = message
    database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run(String(id), "ses_1", 1, JSON.stringify(data))
    for (const [at, part] of parts.entries())
      database
        .prepare("INSERT INTO part VALUES (?, ?, ?, ?)")
        .run(`${String(id)}_${at}`, String(id), "ses_1", JSON.stringify(part))
  }
  database.close()
}

test("opencode: sessions in files, and in the database since 1.2, each once", async (t) => {
  const folder = folderOf(t)
  writeFiles(folder, info())
  writeFiles(folder, info({ id: "ses_2", title: "Older" }))
  const unreadable: string[] = []
  const found = async () => {
    const conversations: (Conversation | null)[] = []
    for await (const session of opencodeSessions(folder, (file) => unreadable.push(file)))
      conversations.push(readOpencodeSession(session))
    return conversations
  }
  const outline = ["->0 user: Hi", "0>1 assistant: Hel | lo."]
  const inFiles = await found()
  assert.deepEqual(
    inFiles.map((one) => one && [one.title, ...outlineOf(one)]),
    [
      ["Greeting", ...outline],
      ["Older", ...outline],
    ],
  )
  writeDatabase(folder)
  const both = await found()
  assert.deepEqual(
    both.map((one) => one && [one.id, one.title, ...outlineOf(one)]),
    [
      ["ses_1", "Stored", ...outline],
      ["ses_2", "Older", ...outline],
    ],
  )
  writeFileSync(join(folder, "opencode.db"), "no database")
  assert.deepEqual(
    (await found()).map((one) => one?.id),
    ["ses_1", "ses_2"],
  )
  assert.deepEqual(unreadable, [join(folder, "opencode.db")])
})
