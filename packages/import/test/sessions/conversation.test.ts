import assert from "node:assert/strict"
import { test } from "node:test"
import type { AssistantContent, Ids, Message, UserContent } from "@gong/spec"
import {
  type Conversation,
  countOf,
  countsOf,
  imageOf,
  replyOf,
  resultOf,
  sessionOf,
  type Step,
  stringOf,
  timeOf,
  untakenCounts,
} from "../../src/sessions/conversation.ts"
import { linesOf, listOf } from "../../src/sessions/files.ts"

const model = { provider: "p", model: "m" } as never
const text = (value: string): UserContent => ({ type: "text", text: value })
const user = (...content: readonly UserContent[]): Message => ({ role: "user", content }) as Message
const image: UserContent = { type: "image", mimeType: "image/png", data: "AA==" }
const call = { type: "tool_call", id: "1", name: "n", arguments: {} } as AssistantContent

const step = (key: string, parent: string | null, message: Message): Step => ({
  key,
  parent,
  time: `2026-11-01T10:00:0${key}.000Z`,
  message,
})

const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  id: "c",
  file: "/f",
  cwd: "/repo",
  title: null,
  steps: [],
  untaken: {},
  ...more,
})

/** Ids e1, e2, ... */
function ids(): Ids {
  let count = 0
  return { entry: () => `e${(count += 1)}` } as unknown as Ids
}

test("messages without results, calls, images and further branches are counted", () => {
  const steps = [
    step("1", null, user(text("a"), image)),
    step("2", "1", replyOf({ model, content: [call, call] })),
    step("3", "2", resultOf({ id: "1", name: "n", content: [image] })),
    step("4", "2", user(text("b"))),
    step("5", null, user(text("c"))),
  ]
  assert.deepEqual(countsOf(conversation({ steps })), { messages: 4, calls: 2, images: 2, branches: 2 })
  assert.deepEqual(countsOf(conversation()), { messages: 0, calls: 0, images: 0, branches: 0 })
})

test("a conversation becomes a session: its entries in order, with parents, times and its name at the end", () => {
  const steps = [
    step("1", null, user(text("a"))),
    step("2", "1", user(text("b"))),
    step("3", "unknown", user(text("c"))),
  ]
  const session = sessionOf(conversation({ steps, title: " A\n title " }), ids(), "/other")
  assert.deepEqual(session, {
    id: "c",
    cwd: "/repo",
    workspace: "/repo",
    created: "2026-11-01T10:00:01.000Z",
    entries: [
      { id: "e1", parentId: null, type: "message", timestamp: "2026-11-01T10:00:01.000Z", message: user(text("a")) },
      { id: "e2", parentId: "e1", type: "message", timestamp: "2026-11-01T10:00:02.000Z", message: user(text("b")) },
      { id: "e3", parentId: null, type: "message", timestamp: "2026-11-01T10:00:03.000Z", message: user(text("c")) },
      { id: "e4", parentId: "e3", type: "session_info", timestamp: "2026-11-01T10:00:03.000Z", name: "A title" },
    ],
  })
})

test("without a title, steps or a folder a session has no name, the first day and the given folder", () => {
  const none = sessionOf(conversation({ title: "t", cwd: null }), ids(), "/other")
  assert.deepEqual(none, {
    id: "c",
    cwd: "/other",
    workspace: "/other",
    created: "1970-01-01T00:00:00.000Z",
    entries: [],
  })
  const steps = [step("1", null, user(text("a")))]
  for (const title of [null, "", " \n"])
    assert.equal(sessionOf(conversation({ steps, title }), ids(), "/").entries.length, 1)
  const [, named] = sessionOf(conversation({ steps, title: "t".repeat(81) }), ids(), "/").entries
  assert.equal((named as unknown as { name: string }).name, "t".repeat(80))
})

test("a reply stops with its calls, or was aborted; by default it has no cost", () => {
  const { stopReason, cost, content } = replyOf({ model, content: [] }) as never as Record<string, unknown>
  assert.deepEqual([stopReason, cost, content], ["stop", null, []])
  assert.equal(replyOf({ model, content: [call] }).stopReason, "tool_calls")
  assert.equal(replyOf({ model, content: [call], aborted: true }).stopReason, "aborted")
  assert.equal(replyOf({ model, content: [], cost: 2 }).cost, 2)
})

test("a result is ok or an error", () => {
  const base = { role: "tool", toolCallId: "1", toolName: "n", content: [], details: null }
  assert.deepEqual(resultOf({ id: "1", name: "n", content: [] }), { ...base, isError: false, status: "ok" })
  assert.deepEqual(resultOf({ id: "1", name: "n", content: [], isError: true }), {
    ...base,
    isError: true,
    status: "error",
  })
})

test("an image is a whole data URL of an image", () => {
  assert.deepEqual(imageOf("data:image/svg+xml;base64,AA\n=="), {
    type: "image",
    mimeType: "image/svg+xml",
    data: "AA\n==",
  })
  for (const url of [
    "xdata:image/png;base64,AA",
    "data:text/plain;base64,AA",
    "data:image/png;base64,",
    "https://x",
    1,
  ])
    assert.equal(imageOf(url), null)
})

test("times, counts and texts of other agents", () => {
  const otherwise = "2026-01-01T00:00:00.000Z"
  for (const [value, time] of [
    ["2026-11-01T10:00:00Z", "2026-11-01T10:00:00.000Z"],
    [0, "1970-01-01T00:00:00.000Z"],
    ["never", otherwise],
    [null, otherwise],
    [undefined, otherwise],
    [true, otherwise],
  ] as const)
    assert.equal(timeOf(value, otherwise), time)
  assert.deepEqual([2, 0.5, 0, -1, Number.NaN, Infinity, "3", null].map(countOf), [2, 0.5, 0, 0, 0, 0, 0, 0])
  assert.deepEqual(["a", "", 1, null].map(stringOf), ["a", null, null, null])
  const { counts, add } = untakenCounts()
  for (const kind of ["a", "b", "a"]) add(kind)
  assert.deepEqual(counts, { a: 2, b: 1 })
})

test("the lines of a file are objects; blank lines are skipped, others counted", () => {
  let bad = 0
  const read = (given: string) => [...linesOf(given, () => void (bad += 1))]
  assert.deepEqual(read('{"a":1}\n\n  \n[1]\nx\n{"b":2}'), [{ a: 1 }, { b: 2 }])
  assert.equal(bad, 2)
  assert.deepEqual([read(""), read("\n"), read('{"a":1}\n')], [[], [], [{ a: 1 }]])
  assert.equal(bad, 2)
  assert.deepEqual(listOf([{ a: 1 }, 1, null, []]), [{ a: 1 }])
  assert.deepEqual(listOf({ a: 1 }), [])
})
