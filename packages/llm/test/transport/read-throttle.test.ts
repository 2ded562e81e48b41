import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { type AddressInfo, createServer, type Server, Socket } from "node:net"
import { test, type TestContext } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { createServer as createTlsServer } from "node:tls"
import { fileURLToPath } from "node:url"
import { startHttpProxy } from "@gong/testing/proxies"
import type { Environment } from "../../src/transport/proxy.ts"
import { createReadThrottle } from "../../src/transport/read-throttle.ts"
import { createTransport } from "../../src/transport/transport.ts"

/** A source that records pauses; its clock is advanced by the test. */
function fakeSource(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] })
  const asked: string[] = []
  let clock = 0
  const throttle = createReadThrottle(
    { pause: () => asked.push("pause"), resume: () => asked.push("resume") },
    () => clock,
  )
  const pass = (ms: number) => {
    clock += ms
    t.mock.timers.tick(ms)
  }
  return {
    asked,
    throttle,
    pass,
    /** Chunks of a size, at this interval in milliseconds. */
    send(count: number, apart: number, size = 100) {
      for (let i = 0; i < count; i++) {
        throttle.received(size)
        pass(apart)
      }
    },
  }
}

test("a source of small chunks is paused after a second for 33 ms at a time, while data waits", (t) => {
  const { asked, throttle, send, pass } = fakeSource(t)
  send(99, 10)
  assert.deepEqual(asked, [], "989 ms")
  send(3, 10)
  assert.deepEqual(asked, [])
  throttle.received(100)
  pass(0)
  assert.deepEqual(asked, ["pause"], "the fourth in 33 ms")
  pass(32)
  assert.deepEqual(asked, ["pause"])
  pass(1)
  assert.deepEqual(asked, ["pause", "resume"])
  throttle.received(1000)
  throttle.received(1000)
  assert.deepEqual(asked, ["pause", "resume"], "everything that waited is read before the next pause")
  pass(0)
  assert.deepEqual(asked.splice(0), ["pause", "resume", "pause"], "what had waited is there at once")
  pass(33)
  pass(5)
  throttle.received(100)
  assert.deepEqual(asked.splice(0), ["resume"], "nothing had waited")
  send(3, 20)
  assert.deepEqual(asked, [], "slow by now")
  send(3, 3)
  assert.deepEqual(asked, ["pause"], "and quick again")
})

test("a slow source is never paused, nor is one with large chunks", (t) => {
  const slow = fakeSource(t)
  slow.send(300, 12)
  assert.deepEqual(slow.asked, [])
  t.mock.timers.reset()
  const plentiful = fakeSource(t)
  plentiful.send(300, 5, 16 * 1024)
  assert.deepEqual(plentiful.asked, [])
})

test("an ended source is not resumed", (t) => {
  const { asked, throttle, send, pass } = fakeSource(t)
  send(202, 5)
  assert.deepEqual(asked, ["pause"])
  throttle.stop()
  pass(100)
  assert.deepEqual(asked, ["pause"])
})

test("a source that ends before its pause begins is not paused", (t) => {
  const { asked, throttle, send, pass } = fakeSource(t)
  send(201, 5)
  throttle.received(100)
  throttle.stop()
  pass(100)
  assert.deepEqual(asked, [])
})

const fixtures = fileURLToPath(new URL("../../../../testing/fixtures/tls/", import.meta.url))

interface Route {
  readonly url: (port: number) => string
  readonly env: Environment
  readonly server: (onConnection: (socket: Socket) => void) => Server
}

const direct: Route = { url: (port) => `http://127.0.0.1:${port}/`, env: {}, server: createServer }

/** TLS inside a tunnel: each TLS record is a chunk of its own. */
async function tunnelled(t: TestContext): Promise<Route> {
  const proxy = await startHttpProxy()
  t.after(() => proxy.close())
  const files = { key: readFileSync(`${fixtures}server.key`), cert: readFileSync(`${fixtures}server.pem`) }
  return {
    url: (port) => `https://model.test:${port}/`,
    env: { HTTPS_PROXY: proxy.url, SSL_CERT_FILE: `${fixtures}ca.pem` },
    server: (onConnection) => createTlsServer(files, onConnection),
  }
}

/** Sends a reply in fast small chunks, which seems long to the client, then ends as given. */
async function quickReply(t: TestContext, end: (socket: Socket) => void, route = direct) {
  const chunkCount = 60
  const answer = async (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for (let i = 0; i < chunkCount && !socket.destroyed; i++) {
      socket.write(`2\r\n${String(i).padStart(2, "0")}\r\n`)
      await sleep(2)
    }
    end(socket)
  }
  const server = route.server((socket) => {
    socket.on("error", () => undefined).setNoDelay(true)
    socket.once("data", () => void answer(socket))
    t.after(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const clock = performance.now.bind(performance)
  let ahead = 0
  t.mock.method(performance, "now", () => clock() + ahead)
  const pauses = t.mock.method(Socket.prototype, "pause").mock
  const transport = createTransport({ env: route.env })
  t.after(() => transport.close())
  const stop = new AbortController()
  const url = route.url((server.address() as AddressInfo).port)
  const { body } = await transport.send({ url, method: "POST", headers: {}, body: [], signal: stop.signal })
  async function* read(): AsyncGenerator<string, void, undefined> {
    for await (const bytes of body) {
      ahead = 1000
      yield Buffer.from(bytes).toString()
    }
  }
  return {
    stop,
    read: read(),
    rested: () => pauses.callCount() > 0,
    pauseCount: () => pauses.callCount(),
    chunkCount,
    whole: Array.from({ length: chunkCount }, (_, i) => String(i).padStart(2, "0")).join(""),
  }
}

test("a fast reply arrives completely, with its end", async (t) => {
  const { read, rested, whole } = await quickReply(t, (socket) => socket.write("0\r\n\r\n"))
  let text = ""
  for await (const piece of read) text += piece
  assert.equal(text, whole)
  assert.ok(rested())
})

test("a fast reply over TLS through a proxy is read many records at a time", async (t) => {
  const route = await tunnelled(t)
  const { read, whole, pauseCount, chunkCount } = await quickReply(t, (socket) => socket.write("0\r\n\r\n"), route)
  let text = ""
  for await (const piece of read) text += piece
  assert.equal(text, whole)
  assert.ok(pauseCount() > 0)
  assert.ok(pauseCount() < chunkCount / 3, `${pauseCount()} pauses for ${chunkCount} chunks`)
})

test("a fast reply that breaks is reported, after all earlier data", async (t) => {
  const { read, rested, whole } = await quickReply(t, (socket) => socket.end())
  let text = ""
  await assert.rejects(async () => {
    for await (const piece of read) text += piece
  }, /ECONNRESET: the connection was closed/)
  assert.equal(text, whole)
  assert.ok(rested())
})

test("a fast reply can be stopped during a pause", async (t) => {
  const { read, rested, stop } = await quickReply(t, () => undefined)
  await assert.rejects(async () => {
    for await (const _ of read) if (rested()) stop.abort()
  }, /Operation aborted/)
  assert.ok(rested())
})
