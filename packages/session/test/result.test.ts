import assert from "node:assert/strict"
import { test } from "node:test"
import { type AssistantMessage, type Entry, type EntryBody, failure, noUsage, type ToolResultMessage } from "@gong/spec"
import { endWithStorage, resultEvent, runSummary } from "../src/result.ts"

const usage = { ...noUsage, input: 10, output: 5 }

function reply(text: string, more: Partial<AssistantMessage> = {}): EntryBody {
  const model = { provider: "acme", id: "m1", api: "scripted" }
  const message = {
    role: "assistant",
    content: [{ type: "text", text }],
    model,
    stopReason: "stop",
    usage,
    cost: 0.5,
    ...more,
  } as const
  return { type: "message", message }
}

const call = (id: string, name: string, args = {}) => ({ type: "tool_call", id, name, arguments: args }) as const

function result(more: Partial<ToolResultMessage>): EntryBody {
  const message = {
    role: "tool",
    toolCallId: "c1",
    toolName: "bash",
    content: [],
    details: null,
    isError: false,
    status: "ok",
    ...more,
  } as const
  return { type: "message", message }
}

function summaryOf(...bodies: readonly EntryBody[]) {
  const collected = runSummary()
  for (const body of bodies) {
    collected.add({ id: "e", parentId: null, timestamp: "2026-01-01T00:00:00.000Z", ...body } as Entry)
  }
  return collected.summary()
}

test("the text is the last answer; words before a tool are not part of it", () => {
  const { text, turns, toolCalls } = summaryOf(
    reply("I will look.", {
      content: [{ type: "text", text: "I will look." }, call("c1", "read")],
      stopReason: "tool_calls",
    }),
    result({}),
    reply("It says alpha."),
  )
  assert.deepEqual([text, turns, toolCalls], ["It says alpha.", 2, 1])
})

test("a reply that was cut and its continuations are one answer", () => {
  const { text } = summaryOf(
    reply("one tw", { stopReason: "length" }),
    reply("o thr", { stopReason: "length" }),
    reply("ee"),
  )
  assert.equal(text, "one two three")
  assert.equal(summaryOf(reply("one"), reply("two")).text, "two", "what follows a whole answer is another one")
  const calls = { content: [{ type: "text", text: "look" }, call("c1", "read")], stopReason: "length" } as const
  assert.equal(summaryOf(reply("", calls), reply("seen")).text, "seen")
})

test("steps that are not on the disk are no success, and say why", async () => {
  const done = { status: "done", turns: 1 } as const
  const full = failure("storage", "The disk is full.")
  const session = (why: typeof full | null) => ({ unwritten: async () => why })
  assert.deepEqual(await endWithStorage(session(null), done, 0), { end: done, exit: 0 })
  assert.deepEqual(await endWithStorage(session(full), done, 0), { end: { ...done, failure: full }, exit: 1 })
  const own = { status: "failed", turns: 1, failure: failure("auth", "401") } as const
  assert.deepEqual(await endWithStorage(session(full), own, 3), { end: own, exit: 3 })
})

test("cost and usage add up, failed tries too; unknown stays unknown and is never 0", () => {
  const known = summaryOf(reply("a"), reply("b"), { type: "model_call", purpose: "turn", usage, cost: 0.25 })
  assert.deepEqual([known.cost, known.usage.input], [1.25, 30])
  assert.deepEqual(known.models, { "acme/m1": { usage: { ...noUsage, input: 20, output: 10 }, cost: 1 } })
  const unknown = summaryOf(reply("a"), reply("b", { cost: null }), reply("c"))
  assert.equal(unknown.cost, null)
  assert.equal(unknown.models["acme/m1"]?.cost, null)
  assert.equal(summaryOf().cost, 0)
  assert.ok(!("costCny" in known))
  const failed = { type: "model_call", purpose: "turn", usage, cost: 1, costCny: 6.7 } as const
  assert.equal(summaryOf(reply("a", { costCny: 3.3 }), failed).costCny, 10)
})

test("denials contain refused calls with their arguments, and no failed calls", () => {
  const { denials } = summaryOf(
    reply("", {
      content: [call("c1", "bash", { command: "git push" }), call("c2", "read", { path: "x" })],
      stopReason: "tool_calls",
    }),
    result({ status: "refused", isError: true, content: [{ type: "text", text: "Refused: no." }] }),
    result({ toolCallId: "c2", toolName: "read", status: "error", isError: true }),
  )
  assert.deepEqual(denials, [{ tool: "bash", args: { command: "git push" }, reason: "Refused: no." }])
})

test("changes of one file are one; a file that was made and removed is none", () => {
  const file = (path: string, change: "created" | "modified" | "deleted", added: number, removed: number) => ({
    path,
    change,
    added,
    removed,
  })
  const { files } = summaryOf(
    result({ files: [file("a", "created", 3, 0)] }),
    result({ files: [file("a", "modified", 1, 2), file("b", "modified", 5, 5)] }),
    result({ files: [file("c", "created", 1, 0)] }),
    result({ files: [file("c", "deleted", 0, 1), file("b", "deleted", 0, 9)] }),
  )
  assert.deepEqual(files, [file("a", "created", 4, 2), file("b", "deleted", 5, 14)])
})

test("the result line has what interface part 3 names, and no cause of a failure", () => {
  const end = { status: "failed", turns: 1, failure: failure("auth", "401", { cause: new Error("secret") }) } as const
  const event = resultEvent(end, 1, summaryOf(reply("x")), "s1", 12)
  assert.deepEqual(event, {
    type: "result",
    status: "failed",
    exit: 1,
    text: "x",
    failure: { kind: "auth", message: "401", retryable: false },
    session: "s1",
    turns: 1,
    toolCalls: 0,
    usage,
    cost: 0.5,
    cacheHitRate: 0,
    models: { "acme/m1": { usage, cost: 0.5 } },
    files: [],
    denials: [],
    durationMs: 12,
  })
  const yuan = resultEvent({ status: "done", turns: 1 }, 0, summaryOf(reply("x", { costCny: 3.5 })), "s1", 0)
  assert.deepEqual([yuan.costCny, "failure" in yuan, "limit" in yuan], [3.5, false, false])
  assert.equal(resultEvent({ status: "limit", limit: "turns", turns: 1 }, 3, summaryOf(), "s1", 0).limit, "turns")
})
