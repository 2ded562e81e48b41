import assert from "node:assert/strict"
import { getEventListeners } from "node:events"
import { test } from "node:test"
import type { Tool } from "@gong/spec"
import { type Call, texts, tool, type World, world } from "../harness.ts"

function callsOf(names: string): readonly Call[] {
  return names.split("").map((name) => ({ id: name, name }))
}

function read(name: string, work: Parameters<typeof tool>[1]): Tool {
  return tool(name, work, { readOnly: true })
}

test("if writing the starts makes the tape unwritable, no call takes effect", async () => {
  let looks = 0
  let ran = 0
  const write = tool("w", () => `${(ran += 1)}`)
  const w = world([{ calls: callsOf("w") }, {}], [write], {
    refuseChanges: () => ((looks += 1) === 1 ? null : "the disk is full."),
  })
  assert.equal((await w.go()).status, "done")
  assert.deepEqual(
    w.entries.map(({ type }) => type),
    ["message", "message", "tool_start", "message", "message", "run_end"],
  )
  assert.deepEqual(
    [ran, w.results()[0]?.status, texts(w.results())],
    [0, "refused", ["Refused: the disk is full. Nothing was run."]],
  )
})

test("a batch of reads does not wait for an unwritable tape", async () => {
  const w = world([{ calls: callsOf("ab") }, {}], [read("a", () => "A"), read("b", () => "B")], {
    refuseChanges: () => "the disk is full.",
  })
  await w.go()
  assert.deepEqual(texts(w.results()), ["A", "B"])
})

test("an abort while the starts are written reaches the tool at its beginning", async () => {
  const signals: boolean[] = []
  let looks = 0
  const w: World = world(
    [{ calls: callsOf("w") }, {}],
    [tool("w", (_, { signal }) => `${signals.push(signal.aborted)}`)],
    {
      refuseChanges: () => {
        if ((looks += 1) === 2) w.abort.abort()
        return null
      },
    },
  )
  assert.equal((await w.go()).status, "interrupted")
  assert.deepEqual(signals, [true])
})

test("a batch ends with its last tool", async () => {
  const late = read("b", async (_, { onProgress }) => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    onProgress("half")
    await new Promise(setImmediate)
    return "late"
  })
  const w = world([{ calls: callsOf("abc") }, {}], [read("a", () => "A"), late, read("c", () => "C")])
  await w.go()
  assert.deepEqual(texts(w.results()), ["A", "late", "C"])
  assert.equal(w.steps.filter((step) => "partial" in step && step.partial.type === "progress").length, 1)
})

test("a start that was written with progress is not written again by its timer", async () => {
  const slow = read("a", async (_, { onProgress }) => {
    onProgress("half")
    await w.clock.advance(20)
    return "seen"
  })
  const w: World = world([{ calls: callsOf("a") }, {}], [slow])
  await w.go()
  const kinds = w.steps.map((step) => ("entries" in step ? step.entries.map(({ type }) => type).join(" ") : "-"))
  assert.deepEqual(kinds.slice(2, 5), ["message tool_start", "-", "message"])
})

test("a batch leaves no listener and no timer behind, and does not abort finished tools", async () => {
  const signals: AbortSignal[] = []
  const keep = (name: string) => read(name, (_, { signal }) => `${signals.push(signal)}`)
  const w = world([{ calls: callsOf("ab") }, {}], [keep("a"), keep("b")])
  let subscribed = 0
  const { inbox } = w.ports
  const counted: typeof inbox = {
    ...inbox,
    onSteer(callback) {
      const leave = inbox.onSteer(callback)
      subscribed += 1
      return () => {
        subscribed -= 1
        leave()
      }
    },
  }
  w.ports = { ...w.ports, inbox: counted }
  await w.go()
  const left = [w.abort.signal, ...signals].map((signal) => getEventListeners(signal, "abort").length)
  assert.deepEqual([left, subscribed, w.clock.waiting], [[0, 0, 0], 0, 0])
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, false],
  )
})

test("the grace period ends with a tool that stops in time", async () => {
  const w: World = world(
    [{ calls: callsOf("w") }, {}],
    [
      tool("w", async (_, { signal }) => {
        w.abort.abort()
        assert.equal(signal.aborted, true)
        await new Promise(setImmediate)
        return "stopped"
      }),
    ],
  )
  await w.go()
  assert.deepEqual([texts(w.results()), w.clock.waiting], [["stopped"], 0])
})

test("a hook's notification after a batch whose starts are written is a step of its own", async () => {
  const w = world([{ calls: callsOf("w") }, {}], [tool("w", () => "x")], {
    hooksGiven: [{ name: "h", onToolResult: async (_, value) => ({ ...value, tell: "seen" }) }],
  })
  await w.go()
  const kinds = w.steps.map((step) => ("entries" in step ? step.entries.map(({ type }) => type).join(" ") : "-"))
  assert.deepEqual(kinds.slice(2, 5), ["message tool_start", "-", "message"])
})
