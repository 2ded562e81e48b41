import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type Hook, type Notification, type Tool, type ToolResult, textOf } from "@gong/spec"
import { type Call, tool, type World, world } from "../harness.ts"

const ok: ToolResult = { content: [], details: null, isError: false }

/** Never resolves. */
const hangs = (): Promise<never> => new Promise(() => undefined)

function withOne(one: Tool, change: Parameters<typeof world>[2] = {}, call: Partial<Call> = {}): World {
  return world([{ calls: [{ id: "c", name: one.name, ...call }] }, { text: "ok" }], [one], change)
}

async function resultOf(w: World) {
  await w.go()
  const [result] = w.results()
  assert.ok(result)
  return result
}

/** State of a run after this number of milliseconds. */
async function after(w: World, ms: number) {
  const going = w.go()
  await w.clock.advance(0)
  await w.clock.advance(ms)
  return { results: w.results(), going }
}

test("the time limit of a tool: ten minutes, the user's limit, or its own; five more seconds for one that ignores it", async () => {
  for (const [limits, time] of [
    [{}, 600_000],
    [{ toolTime: 70 }, 70],
  ] as const) {
    assert.equal((await after(withOne(tool("slow", hangs), { limits }), time + 4_999)).results.length, 0)
    const late = await after(withOne(tool("slow", hangs), { limits }), time + 5_000)
    assert.deepEqual(
      late.results.map((result) => [result.status, result.isError, textOf(result)]),
      [["timeout", true, "Tool execution timed out"]],
    )
  }
  const own = await after(withOne(tool("slow", hangs, { keepsTime: true })), 10_000_000)
  assert.equal(own.results.length, 0)
})

test("the next call waits for a change in progress at the time limit, so that it does not run beside it", async () => {
  const order: string[] = []
  const slow = tool("slow", async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve))
    await w.ports.clock.sleep(900)
    order.push("changed")
    throw new Error("left")
  })
  const next = tool("next", async () => {
    order.push("next")
    return "ok"
  })
  const calls = [
    { id: "c", name: "slow" },
    { id: "d", name: "next" },
  ]
  const w: World = world([{ calls }, { text: "ok" }], [slow, next], { limits: { toolTime: 70 } })
  const { going } = await after(w, 70)
  assert.deepEqual([order, w.results().length], [[], 0])
  await w.clock.advance(900)
  await going
  assert.deepEqual(order, ["changed", "next"])
  assert.deepEqual(
    w.results().map(({ status }) => status),
    ["timeout", "ok"],
  )
})

test("the signal of a tool aborts at its time limit", async () => {
  const reasons: unknown[] = []
  const obeys = tool("slow", (_, { signal }) => {
    signal.addEventListener("abort", () => reasons.push((signal.reason as Error).message))
    return hangs()
  })
  await after(withOne(obeys, { limits: { toolTime: 70 } }), 70)
  assert.equal(reasons.length, 1)
  assert.match(String(reasons[0]), /time/i)
})

test("a stopped tool has five seconds to report; then it gets a result without it", async () => {
  for (const [ms, status] of [
    [4_999, "ok"],
    [5_000, "aborted"],
  ] as const) {
    const w: World = withOne(
      tool("slow", async (_, { signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve))
        await w.ports.clock.sleep(ms)
        return "half of it is done"
      }),
    )
    const { going } = await after(w, 1)
    w.abort.abort()
    await w.clock.advance(5_000)
    await going
    assert.deepEqual(
      w.results().map((result) => result.status),
      [status],
    )
  }
})

test("a tool that throws after a stop counts as stopped; an empty error message gets a text", async () => {
  const throws = (error: Error) =>
    tool("bad", () => {
      throw error
    })
  const silent = await resultOf(withOne(throws(new Error(""))))
  assert.deepEqual([silent.status, textOf(silent)], ["error", "bad failed without a reason"])
  const loud = await resultOf(withOne(throws(new Error("no disk"))))
  assert.deepEqual([loud.status, textOf(loud)], ["error", "no disk"])
  const w = withOne(
    tool("slow", async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
      throw new Error("left")
    }),
  )
  const { going } = await after(w, 1)
  w.abort.abort()
  await going
  assert.deepEqual([w.results()[0]?.status, textOf(w.results()[0] ?? ok)], ["aborted", "left"])
})

test("a text block of a result is cut at 200,000 characters, with its full length; images stay", async () => {
  const image = { type: "image", mimeType: "image/png", data: "x".repeat(200_001) } as const
  const given = (length: number) => ({ ...ok, content: [{ type: "text" as const, text: "y".repeat(length) }, image] })
  const whole = await resultOf(withOne(tool("big", async () => given(200_000))))
  assert.deepEqual(whole.content, given(200_000).content)
  const cut = await resultOf(withOne(tool("big", async () => given(200_001))))
  const text = `${"y".repeat(200_000)}\n[Cut after 200000 of 200001 characters.]`
  assert.deepEqual(cut.content, [{ type: "text", text }, image])
})

test("a result has status, files, details and duration", async () => {
  const files = [{ path: "a", change: "modified", added: 1, removed: 0 }] as const
  const w: World = withOne(
    tool("all", async () => {
      await w.clock.advance(12.4)
      return { content: [], details: { a: 1 }, isError: false, status: "background", files }
    }),
  )
  const all = await resultOf(w)
  assert.deepEqual([all.status, all.files, all.details, all.durationMs], ["background", files, { a: 1 }, 12])
  assert.deepEqual([all.toolCallId, all.toolName, all.isError], ["c", "all", false])
  const failed = await resultOf(withOne(tool("bad", async () => ({ ...ok, isError: true }))))
  assert.deepEqual([failed.status, failed.isError, "files" in failed], ["error", true, false])
  assert.equal((await resultOf(withOne(tool("good", async () => ok)))).status, "ok")
})

test("a clock that was set back gives no negative duration", async () => {
  const w: World = withOne(
    tool("quick", async () => {
      now -= 5_000
      return "done"
    }),
  )
  let now = 10_000
  w.ports = { ...w.ports, clock: { ...w.ports.clock, now: () => now } }
  assert.equal((await resultOf(w)).durationMs, 0)
})

test("a tool gets the files that the session has read, if they are guarded", async () => {
  const seen = { look: "looks" }
  const given: unknown[] = []
  const looks = tool("look", (_, context) => (given.push("seen" in context ? context.seen : "none"), "x"))
  await withOne(looks, { seen: () => seen as never }).go()
  await withOne(looks).go()
  assert.deepEqual(given, [seen, "none"])
  assert.equal(given[0], seen)
})

test("each dialog of a tool has its own id, and the call's signal", async () => {
  const asked: unknown[] = []
  const ask = tool("ask", async (_, { dialog, signal }) => {
    for (const title of ["first", "second", "third"]) await dialog?.({ kind: "confirm", title } as never)
    asked.push(signal.aborted)
    return "asked"
  })
  const dialog = (question: unknown, signal: AbortSignal) => {
    asked.push([question, signal.aborted])
    return Promise.resolve(null as never)
  }
  await withOne(ask, { dialog: dialog as never }).go()
  const question = (id: string, title: string) => [{ id, toolCallId: "c", kind: "confirm", title }, false]
  assert.deepEqual(asked, [question("u-c", "first"), question("u-c-2", "second"), question("u-c-3", "third"), false])
  const alone = await resultOf(withOne(tool("ask", (_, context) => ("dialog" in context ? "can ask" : "cannot"))))
  assert.equal(textOf(alone), "cannot")
})

test("progress beyond a hundred pending updates is dropped, and all of it is redacted", async () => {
  const loud = tool("loud", async (_, { onProgress }) => {
    for (let at = 0; at < 150; at++) onProgress("secret")
    await new Promise(setImmediate)
    return "done"
  })
  const w = withOne(loud, { redact: (text) => text.replaceAll("secret", "[key]") })
  await w.go()
  const pieces = w.steps.flatMap((step) =>
    "partial" in step && step.partial.type === "progress" ? [step.partial] : [],
  )
  assert.equal(pieces.length, 100)
  assert.ok(pieces.every(({ delta, callId }) => delta === "[key]" && callId === "c"))
})

test("watchers receive the call as it runs, and its result with the duration", async () => {
  const events: unknown[] = []
  const watch: Hook = {
    name: "w",
    watch: async (event) => {
      if (event.event === "tool.start") events.push([event.event, event.id, event.tool, event.arguments])
      if (event.event === "tool.stop") events.push([event.event, event.id, event.tool, event.duration_ms])
    },
  }
  const change: Hook = { name: "g", beforeToolCall: async () => ({ answer: "ok", arguments: { path: "b" } }) }
  const w: World = withOne(
    tool("look", async () => {
      await w.clock.advance(30)
      return "seen"
    }),
    { hooksGiven: [change, watch] },
    { args: { path: "a" } },
  )
  await w.go()
  assert.deepEqual(events, [
    ["tool.start", "c", "look", { path: "b" }],
    ["tool.stop", "c", "look", 30],
  ])
})

test("while entries wait in memory for a full disk, a recorded change does not take effect", async () => {
  let stalled: string | null = null
  const edit: Tool = {
    ...tool("edit", async (_, { record }) => {
      stalled = "the disk is full"
      await record?.({ path: "f", before: null, after: "a" })
      return "changed"
    }),
    recordsChanges: true,
  }
  const result = await resultOf(withOne(edit, { refuseChanges: () => stalled }))
  assert.deepEqual([result.status, result.isError], ["error", true])
  assert.match(textOf(result), /the disk is full/)
})

test("a hook's notification during a read follows its start", async () => {
  const hook: Hook = {
    name: "h",
    onToolResult: async () => ({ content: [], details: null, isError: false, tell: "seen" }),
  }
  const w = withOne(
    tool("look", () => "x", { readOnly: true }),
    { hooksGiven: [hook] },
  )
  await w.go()
  const order = w.steps.flatMap((step) => {
    if ("entries" in step) return step.entries.map(({ type }) => type)
    return "notification" in step ? [(step.notification as Notification).code] : []
  })
  assert.deepEqual(order.slice(1, 5), ["message", "tool_start", "hook", "message"])
})

test("a failure of a port during calls ends the run as failed", async () => {
  const policy = { decide: () => Promise.reject(new Error("broken")), remember: async () => undefined }
  const ended = await withOne(
    tool("x", () => "x"),
    { policy },
  ).go()
  assert.deepEqual([ended.status, ended.failure?.kind], ["failed", failure("internal", "").kind])
})
