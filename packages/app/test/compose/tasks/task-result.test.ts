import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, noUsage, phrase, textOf } from "@gong/spec"
import { taskResult } from "../../../src/compose/tasks/task-result.ts"

type Outcome = Parameters<typeof taskResult>[0]
type Parts = Partial<Record<"end" | "summary", object>>

/** The result of a task that ended like this, and the texts that were stored. */
async function resultOf(text: string, { end = {}, summary = {} }: Parts = {}) {
  const stored: string[] = []
  const artifacts = {
    put: async (bytes: Uint8Array) => `sha256-${stored.push(Buffer.from(bytes).toString())}`,
  }
  const outcome = {
    end: { status: "done", turns: 2, ...end },
    summary: {
      text,
      toolCalls: 1,
      denials: [],
      files: [],
      cost: 0.5,
      usage: { ...noUsage, input: 7, output: 3 },
      ...summary,
    },
    tape: { id: "019a-beef", store: { path: "/s/t" } },
    model: { provider: "p", id: "m" },
  } as unknown as Outcome
  const result = await taskResult(outcome, { artifacts } as unknown as Parameters<typeof taskResult>[1])
  return { result, stored, shown: textOf(result) }
}

test("the result of a task is its last message with its effort; a short one is not stored", async () => {
  const { result, stored, shown } = await resultOf("  It is done. \n")
  assert.deepEqual([shown, stored], ["It is done.\n\n[task 019a-beef: 2 turns, 1 tool call]", []])
  assert.deepEqual(
    [result.status, result.isError, result.details?.artifact, result.files],
    ["ok", false, undefined, undefined],
  )
  const { session, tape, model, status, turns, tool_calls: calls, cost, tokens } = result.details ?? {}
  assert.deepEqual(
    [session, tape, model, status, turns, calls, cost, tokens],
    ["019a-beef", "/s/t", "p/m", "done", 2, 1, 0.5, 10],
  )
})

test("a long message is cut, and stored whole; nothing said and refused calls are named", async () => {
  const long = "line\n".repeat(5_000)
  const { result, stored, shown } = await resultOf(long, { summary: { files: ["/w/a"] } })
  assert.deepEqual([stored, result.details?.artifact, result.files], [[long], "sha256-1", ["/w/a"]])
  assert.match(shown, /line\n\n\[All of it: read artifact:sha256-1\]\n\n\[task 019a-beef: 2 turns, 1 tool call\]$/)
  const summary = { toolCalls: 0, denials: [{}, {}] }
  const nothing = await resultOf(" \n", { end: { turns: 1 }, summary })
  assert.equal(nothing.shown, "(It said nothing.)\n\n[task 019a-beef: 1 turn, 0 tool calls, 2 refused]")
})

test("a task that did not end well says how, before what it said last", async () => {
  const why = failure("network", phrase`the line broke`)
  for (const [end, status, text] of [
    [{ status: "limit", limit: "turns" }, "error", "The task was ended by its limit (turns). What it said last:"],
    [{ status: "interrupted" }, "aborted", "The task was stopped. What it said last:"],
    [{ status: "failed", failure: why }, "error", "The task failed: the line broke. What it said last:"],
    [{ status: "refused" }, "refused", "The task failed: refused. What it said last:"],
  ] as const) {
    const { result, shown } = await resultOf("so far", { end })
    assert.deepEqual([result.status, result.isError], [status, true], end.status)
    assert.equal(shown, `${text}\n\nso far\n\n[task 019a-beef: 2 turns, 1 tool call]`)
  }
})
