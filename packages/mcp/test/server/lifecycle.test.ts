import assert from "node:assert/strict"
import { test } from "node:test"
import { times } from "@gong/mcp"
import { manualClock } from "@gong/testing/sim/clock"
import { answers, guardOf, inProcess } from "./in-process.ts"

const context = { signal: AbortSignal.any([]), session: 0, onProgress: () => undefined }

test("a server starts at its first call, and ends after five minutes without one", async () => {
  const clock = manualClock()
  const server = inProcess()
  const guard = guardOf(server, clock)
  assert.deepEqual(guard.state(), { kind: "idle" })
  await guard.call("echo", {}, context)
  assert.equal(guard.state().kind, "ready")
  await clock.advance(times.idle - 1)
  assert.ok(server.running)
  await guard.call("echo", {}, context)
  await clock.advance(times.idle - 1)
  assert.ok(server.running, "a call begins the five minutes again")
  await clock.advance(1)
  assert.ok(!server.running)
  assert.deepEqual(guard.state(), { kind: "idle" })
  await guard.call("echo", {}, context)
  assert.equal(server.starts, 2)
  await guard.end()
})

test("a call that takes longer than five minutes does not end its server", async () => {
  const clock = manualClock()
  const server = inProcess((method) => (method === "tools/call" ? undefined : answers(method)))
  const guard = guardOf(server, clock)
  await guard.start(context)
  const stop = new AbortController()
  const call = guard.call("echo", {}, { ...context, signal: stop.signal })
  await clock.advance(times.idle + 1_000)
  assert.ok(server.running)
  stop.abort()
  await assert.rejects(call)
  await new Promise((resolve) => setImmediate(resolve))
  assert.ok(server.received.includes("notifications/cancelled"))
  await guard.end()
  assert.ok(!server.running)
})

test("calls at once share one start", async () => {
  const server = inProcess()
  const guard = guardOf(server, manualClock())
  await Promise.all([1, 2, 3].map(() => guard.call("echo", {}, context)))
  assert.equal(server.starts, 1)
  await guard.end()
})

test("a server that died is started again twice, then its tools say why until a reset", async () => {
  const server = inProcess((method) => {
    if (method === "tools/call") throw new Error("dies")
    return answers(method)
  })
  const guard = guardOf(server, manualClock())
  for (let starts = 1; starts <= 3; starts++) {
    await assert.rejects(guard.call("echo", {}, context), /it ended with status 3/)
    assert.equal(server.starts, starts)
  }
  await assert.rejects(guard.call("echo", {}, context), /failed 3 times and is not started again .*status 3/)
  assert.equal(server.starts, 3)
  assert.equal(guard.state().kind, "failed")
  guard.reset()
  await assert.rejects(guard.call("echo", {}, context), /it ended with status 3/)
  assert.equal(server.starts, 4)
  await guard.end()
})

test("a server that dies between two calls is started by the next one", async () => {
  const server = inProcess()
  const guard = guardOf(server, manualClock())
  await guard.call("echo", {}, context)
  server.die()
  assert.equal(guard.state().kind, "failed")
  await guard.call("echo", {}, context)
  assert.equal(server.starts, 2)
  await guard.end()
})

test("the end of a server that has not answered yet ends it and the call that waits", async () => {
  const server = inProcess(() => undefined)
  const guard = guardOf(server, manualClock())
  const call = guard.call("echo", {}, context)
  call.catch(() => undefined)
  while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(guard.state().kind, "starting")
  await guard.end()
  await assert.rejects(call, /fixture was ended/)
  assert.ok(!server.running)
})

test("a start ends after 30 seconds", async () => {
  const clock = manualClock()
  const server = inProcess((method) => (method === "tools/list" ? undefined : answers(method)))
  const guard = guardOf(server, clock)
  const call = guard.call("echo", {}, context)
  call.catch(() => undefined)
  while (!server.received.includes("tools/list")) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(times.start)
  await assert.rejects(call, /fixture was not ready after 30 s/)
  assert.ok(!server.running)
})

test("a server whose prompts are refused or never listed is ready with its tools, and the lack is reported", async () => {
  const clock = manualClock()
  for (const refused of [true, false]) {
    const server = inProcess((method) => {
      const answer = answers(method)
      if (method === "prompts/list") return refused ? answer : undefined
      return method === "initialize" ? { ...(answer as object), capabilities: { tools: {}, prompts: {} } } : answer
    })
    const guard = guardOf(server, clock)
    const start = guard.start(context)
    while (!server.received.includes("prompts/list")) await new Promise((resolve) => setImmediate(resolve))
    if (!refused) await clock.advance(times.prompts)
    await start
    assert.equal(guard.tools()?.length, 1)
    assert.match(
      guard.problems().join(),
      refused ? /its prompts: .*no method prompts.list/ : /its prompts: no answer within 5 s/,
    )
    await guard.end()
  }
})

test("a server that dies at the list of its prompts has not started", async () => {
  const server = inProcess((method) => {
    if (method === "prompts/list") throw new Error("dies")
    const answer = answers(method)
    return method === "initialize" ? { ...(answer as object), capabilities: { tools: {}, prompts: {} } } : answer
  })
  const guard = guardOf(server, manualClock())
  await assert.rejects(guard.start(context), /it ended with status 3/)
  assert.equal(guard.state().kind, "failed")
  await guard.end()
})
