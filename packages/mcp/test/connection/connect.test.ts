import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { connect, type ConnectionEvents, type Era } from "../../src/connection/connect.ts"
import { answers, inProcess, type InProcess } from "../server/in-process.ts"

function open(server: InProcess, era: Era | null = null, signal = new AbortController().signal) {
  const logged: string[] = []
  const closed: string[] = []
  const events: ConnectionEvents = {
    roots: () => [],
    elicit: async () => ({ action: "cancel" }),
    onChanged: () => undefined,
    log: (line) => void logged.push(line),
    onClosed: (why) => void closed.push(why),
  }
  const endpoint = { kind: "stdio", start: server.start } as const
  const connection = connect(endpoint, events, { version: "0", clock: manualClock(), era, signal })
  connection.catch(() => undefined)
  return { connection, logged, closed }
}

/** A server that ends at the first request of these starts. */
const dyingAt = (...starts: readonly number[]): InProcess => {
  const server: InProcess = inProcess((method) => {
    if (starts.includes(server.starts)) throw new Error("it ends")
    return answers(method)
  })
  return server
}

test("a server that ends at the unknown first request is started again as one of the earlier revision", async () => {
  const server = inProcess((method) => {
    if (server.received.length === 1 && method !== "initialize") throw new Error("it ends")
    return answers(method)
  })
  const { era, close } = await open(server).connection
  assert.deepEqual([era, server.starts], [{ kind: "legacy" }, 2])
  assert.equal(server.received[1], "initialize")
  await close()
})

test("a server that fails twice is not started a third time", async () => {
  for (const era of [null, { kind: "legacy" }] as const) {
    const server = dyingAt(1, 2, 3)
    await assert.rejects(open(server, era).connection, { message: "the server is gone: it ended with status 3" })
    assert.equal(server.starts, 2)
  }
})

test("where the remembered revision fails, the server is asked for its revision", async () => {
  const server = dyingAt(1)
  const { era, close } = await open(server, { kind: "legacy" }).connection
  assert.deepEqual([era, server.starts, server.received[0]], [{ kind: "legacy" }, 2, "initialize"])
  assert.notEqual(server.received[1], "initialize")
  await close()
})

test("an aborted connection is not tried again, and its server ends", async () => {
  const server = inProcess(() => undefined)
  const stop = new AbortController()
  const { connection } = open(server, null, stop.signal)
  while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  await assert.rejects(connection, FailureError)
  assert.deepEqual([server.starts, server.running], [1, false])
})

test("the end of a server is reported once, with its reason; that of a closed connection is not", async () => {
  const server = inProcess()
  const { connection, closed } = open(server)
  await connection
  server.die()
  assert.deepEqual(closed, ["it ended with signal SIGKILL"])
  const other = inProcess()
  const ended = open(other)
  await (await ended.connection).close()
  assert.deepEqual([ended.closed, other.running], [[], false])
})

test("the messages of a server are logged with their level", async () => {
  const server = inProcess()
  const { connection, logged } = open(server)
  const { close } = await connection
  for (const [level, data] of [
    ["info", "text"],
    ["error", { a: 1 }],
  ])
    server.send({ method: "notifications/message", params: { level, data } })
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(logged.slice(-2), ["info: text", 'error: {"a":1}'])
  await close()
})

test("progress of a call is a line: its text, and how much of how much", async () => {
  const server: InProcess = inProcess((method, params, id) => {
    if (method !== "tools/call") return answers(method)
    const { _meta: meta } = params as { readonly _meta: { readonly progressToken: unknown } }
    for (const told of [
      { progress: 1, total: 2, message: "half" },
      { progress: 3 },
      { progress: 4, total: 0 },
      { progress: 5, message: "" },
    ])
      server.send({ method: "notifications/progress", params: { progressToken: meta.progressToken, ...told } })
    setImmediate(() => server.send({ id, result: { content: [] } }))
    return undefined
  })
  const { call, close } = await open(server).connection
  const told: string[] = []
  const options = { signal: new AbortController().signal, time: 60_000, onProgress: (text: string) => told.push(text) }
  await call({ name: "echo", schema: { type: "object" } }, {}, options)
  assert.deepEqual(told, ["half 1/2\n", "3\n", "4/0\n", "5\n"])
  await close()
})

test("a server that refuses the connection is ended, and its reason is reported", async () => {
  const server = inProcess(() => new Error("no such version"))
  await assert.rejects(open(server).connection, { message: "no such version" })
  assert.equal(server.running, false)
})

test("a server is told what this client can do", async () => {
  let told: unknown
  const server = inProcess((method, params) => {
    if (method === "initialize") told = params
    return answers(method)
  })
  const { close } = await open(server, { kind: "legacy" }).connection
  const { capabilities, clientInfo } = told as Readonly<Record<string, unknown>>
  assert.deepEqual(clientInfo, { name: "gong", title: "Gong", version: "0" })
  assert.deepEqual(capabilities, { roots: {}, elicitation: { form: { applyDefaults: true }, url: {} } })
  await close()
})
