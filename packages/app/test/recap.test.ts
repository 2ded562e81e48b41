import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, EntryBody } from "@gong/spec"
import { branchOf, type Fold, foldBranch, type ReadonlyTape } from "@gong/tape"
import { english } from "@gong/texts/translator"
import { recapLines, recapOf } from "../src/recap.ts"

/** A tape with these entries, one a minute. */
function tape(...bodies: readonly object[]): ReadonlyTape {
  const entries = bodies.map((body, at) => ({
    id: `E${at}`,
    parentId: at === 0 ? null : `E${at - 1}`,
    timestamp: new Date(at * 60_000).toISOString(),
    ...(body as EntryBody),
  })) as readonly Entry[]
  const branch = branchOf(entries)
  return { branch, follow: <S>(fold: Fold<S>) => ({ value: foldBranch(fold, branch) }) } as unknown as ReadonlyTape
}

const user = (text: string) => ({ type: "message", message: { role: "user", content: [{ type: "text", text }] } })
const assistant = (text: string) => ({
  type: "message",
  message: { role: "assistant", content: text === "" ? [] : [{ type: "text", text }] },
})
const tool = (details: unknown = null) => ({
  type: "message",
  message: { role: "tool", toolCallId: "1", toolName: "todo", status: "ok", content: [], details, isError: false },
})
const end = (status: string) => ({ type: "run_end", status, turns: 1 })

function lines(...bodies: readonly object[]): readonly string[] | null {
  const recap = recapOf(tape(...bodies))
  return recap && recapLines(english, recap)
}

test("a recap has the last message of the user and the last text of the model after it", () => {
  assert.equal(lines(), null)
  assert.equal(lines({ type: "label", target: "x", label: "y" }), null)
  const old = [user("old"), assistant("answer"), end("done")]
  assert.deepEqual(
    lines(...old, user("new"), assistant("I look."), tool(), assistant("It is so."), assistant(""), end("done")),
    ["Last active 1970-01-01 00:08 (UTC):", "  > new", "  It is so."],
  )
  assert.deepEqual(lines(...old, user("new"), end("failed")), [
    "Last active 1970-01-01 00:04 (UTC):",
    "  > new",
    "The run failed; a message tries again from there.",
  ])
})

test("a recap says that the run was interrupted, also one without an end, and what waits", () => {
  const interrupted = "The run was interrupted; a message continues from there."
  assert.equal(lines(user("a"), end("interrupted"))?.at(-1), interrupted)
  assert.equal(lines(user("a"), assistant("b"))?.at(-1), interrupted)
  const first = [user("a"), assistant("b"), end("done")]
  assert.equal(
    lines(...first, { type: "input", kind: "prompt", text: "c" }, { ...user("c"), inputId: "E3" })?.at(-1),
    interrupted,
  )
  assert.ok(!lines(user("a"), assistant("b"), end("done"))?.includes(interrupted))
  const queued = { type: "input", kind: "follow_up", text: "and then\nmore" }
  assert.equal(lines(user("a"), end("done"), queued)?.at(-1), "Waiting to be sent: and then")
})

test("long messages and answers are folded, with the number of further lines", () => {
  const long = Array.from({ length: 10 }, (_, at) => `line ${at}`).join("\n")
  assert.deepEqual(lines(user(long), assistant(long), end("done")), [
    "Last active 1970-01-01 00:02 (UTC):",
    "  > line 0",
    "    line 1",
    "    line 2",
    "    ... (7 more lines)",
    ...Array.from({ length: 8 }, (_, at) => `  line ${at}`),
    "  ... (2 more lines)",
  ])
  const wide = lines(user("x".repeat(1000)), end("done"))?.[1] ?? ""
  assert.deepEqual([wide.length, wide.endsWith("x ...")], [308, true])
})

test("unfinished tasks are counted, finished ones are not shown", () => {
  const todos = (...states: readonly string[]) => ({ todos: states.map((status) => ({ content: "c", status })) })
  const last = (...states: readonly string[]) =>
    lines(user("a"), assistant(""), tool(todos(...states)), assistant("b"), end("done"))?.at(-1)
  assert.equal(last("completed", "pending", "in_progress"), "To do: 1 of 3 done")
  assert.equal(last("completed"), "  b")
})

test("the name of the session is shown", () => {
  const named = [{ type: "session_info", name: "carts" }, user("a"), end("done")]
  assert.equal(lines(...named)?.[0], "carts, last active 1970-01-01 00:02 (UTC):")
})
