import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { test, type TestContext } from "node:test"
import { createGzip } from "node:zlib"
import type { Clock, Failure } from "@gong/spec"
import { attack } from "@gong/testing/attacks"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { connectStream } from "../../src/transport/http/connect.ts"
import { createTransport, type TransportOptions } from "../../src/transport/transport.ts"
import { requestWith, collect, manualClock, modelOf } from "../helpers.ts"

// Servers and proxies that never end: every wait has a time limit, every buffer a size limit.

/** Behavior of a server after a request. */
type Attack = (socket: Socket) => void

/** Sends a text, and then behaves differently. */
const says =
  (text: string, then: Attack = () => undefined): Attack =>
  (socket) => {
    socket.write(text, "latin1")
    then(socket)
  }

/** As fast as it is read. */
const flood =
  (text: string): Attack =>
  (socket) => {
    const many = text.repeat(Math.ceil(65_536 / text.length))
    const go = () => {
      while (!socket.destroyed && socket.write(many, "latin1"));
    }
    socket.on("drain", go)
    go()
  }

/** Piece by piece, with pauses. */
const drip =
  (text: string): Attack =>
  (socket) => {
    const timer = setInterval(() => socket.write(text, "latin1"), 5)
    socket.on("close", () => clearInterval(timer))
  }

const interim = "HTTP/1.1 102 Processing\r\n\r\n"
const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const untilClose = `${head}\r\n`

/** Address of the server, and a promise for the end of all its connections. */
async function serve(t: TestContext, attack: Attack) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
    socket.once("data", () => attack(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.resume().on("close", () => resolve()))
  const gone = async () => void (await Promise.all(Array.from(sockets, closed)))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, gone }
}

/** Real time, for short limits. */
const clock: Clock = {
  now: () => performance.now(),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
  sleep: () => assert.fail("nothing sleeps"),
}
const short = { firstEvent: 100, gap: 100, thinkingGap: 100, pings: 200 }

async function failureOf(baseUrl: string, ports: { clock: Clock }, options: TransportOptions = {}): Promise<Failure> {
  const transport = createTransport(options)
  const silence = ports.clock === clock ? short : {}
  const provider = openaiCompletions(modelOf({ baseUrl }), { transport, ...ports, silence, credential: null })
  const { reply } = await collect(provider, requestWith())
  transport.close()
  assert.ok(!reply.ok)
  return reply.failure
}

const piles: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  "interim responses": [flood(interim), /announces a response again and again and sends none/],
  "interim responses with headers": [flood(`HTTP/1.1 103 E\r\nLink: x\r\n\r\n`), /again and again/],
  "one header": [says("HTTP/1.1 200 OK\r\nX: ", flood("x")), /headers of the response are too long/],
  "many headers": [says("HTTP/1.1 200 OK\r\n", flood("X: y\r\n")), /headers of the response are too long/],
  "the extension of a chunk": [says(`${chunked}1;`, flood("x")), /between the chunks .* is too long/],
  "the size of a chunk": [says(chunked, flood("0")), /chunk of the response has no size/],
  trailers: [says(`${chunked}0\r\n`, flood("T: x\r\n")), /between the chunks .* is too long/],
  comments: [says(untilClose, flood(": still here\n\n")), /more than 64 MB for one reply/],
  "blank space": [says(untilClose, flood(" ")), /more than 64 MB for one reply/],
  "one event": [says(`${untilClose}data: `, flood("x")), /larger than 64 MB|more than 64 MB/],
  "a page": [says(`${untilClose}<p>`, flood("x")), /more than 64 MB for one reply/],
  "a packed reply": [
    says(`${head}Content-Encoding: gzip\r\n\r\n`, (socket) => {
      const gzip = createGzip()
      gzip.on("error", () => undefined).pipe(socket)
      const go = () => void gzip.write(Buffer.alloc(1024 * 1024, "x"), () => socket.writable && go())
      go()
    }),
    /more than 64 MB for one reply/,
  ],
}

/** More than any limit except that of a reply. */
const plenty = 100_000

/** Reads without a limit until there is plenty and the other end is still there. */
async function isEndless(host: string): Promise<boolean> {
  const [address = "", port] = host.split(":")
  const socket = connect(Number(port), address).on("error", () => undefined)
  socket.write("POST /v1 HTTP/1.1\r\n\r\n")
  let size = 0
  for await (const bytes of socket) if ((size += (bytes as Buffer).length) > plenty) return true
  return false
}

for (const [name, [how, why]] of Object.entries(piles)) {
  attack(
    `${name} endlessly, as fast as it is read: a size limit ends it, while the clock stands still`,
    async (t, guard) => {
      const { host, gone } = await serve(t, how)
      if (guard === "off") return { reached: await isEndless(host) }
      const { kind, message } = await failureOf(`http://${host}/v1`, { clock: manualClock() })
      await gone()
      return { reached: !/^(?:network|bad-reply)$/.test(kind) || !why.test(message), printed: message }
    },
  )
}

const waits: Readonly<Record<string, Attack>> = {
  "no answer": () => undefined,
  "interim responses": drip(interim),
  "100 Continue": drip("HTTP/1.1 100 Continue\r\n\r\n"),
  "the bytes of a header": says("HTTP/1.1 200 OK\r\nX: ", drip("x")),
  "a head and no body": says(untilClose),
  "the extension of a chunk": says(`${chunked}1;`, drip("x")),
  "the size of a chunk": says(`${chunked}1`),
  trailers: says(`${chunked}0\r\n`, drip("T: x\r\n")),
  comments: says(untilClose, drip(": still here\n\n")),
  "events without content": says(untilClose, drip('data: {"choices":[{"delta":{"content":""}}]}\n\n')),
  "the bytes of one event": says(`${untilClose}data: `, drip("x")),
  "blank space": says(untilClose, drip(" ")),
}

for (const [name, how] of Object.entries(waits)) {
  attack(`${name}, endlessly in occasional pieces: the time limit for an answer ends it`, async (t, guard) => {
    const { host, gone } = await serve(t, how)
    if (guard === "off") return { reached: await outlasts(`http://${host}/v1`) }
    const { kind, message } = await failureOf(`http://${host}/v1`, { clock })
    await gone()
    return { reached: kind !== "stalled", printed: message }
  })
}

/** Whether a request with limits a thousand times as long is still waiting when one with short limits has ended. */
async function outlasts(url: string): Promise<boolean> {
  const leave = new AbortController()
  const long = { firstEvent: 100_000, gap: 100_000, thinkingGap: 100_000, pings: 200_000 }
  let ended = false
  const transport = createTransport()
  const provider = openaiCompletions(modelOf({ baseUrl: url }), { transport, clock, silence: long, credential: null })
  const waiting = collect(provider, requestWith({ signal: leave.signal })).then(() => (ended = true))
  await failureOf(url, { clock })
  const outlasted = !ended
  leave.abort()
  await waiting
  transport.close()
  return outlasted
}

test("a refusal whose body does not end, or breaks, is reported with its status and text so far", async (t) => {
  const body = '{"error":{"message":"no such key"}}'
  for (const then of [
    () => undefined,
    drip(" "),
    (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 20),
  ]) {
    const { host } = await serve(t, says(`HTTP/1.1 401 No\r\nContent-Length: 999999\r\n\r\n${body}`, then))
    const { kind, message, status } = await failureOf(`http://${host}/v1`, { clock })
    assert.deepEqual([kind, status], ["auth", 401])
    assert.match(message, /no such key/)
  }
})

test("an overlong refusal is cut", async (t) => {
  const { host, gone } = await serve(t, says("HTTP/1.1 500 No\r\n\r\n", flood("x")))
  assert.equal((await failureOf(`http://${host}/v1`, { clock: manualClock() })).kind, "overloaded")
  await gone()
})

const proxied: Readonly<Record<string, readonly [scheme: string, attack: Attack, kind: RegExp]>> = {
  "an HTTP proxy that says nothing": ["http", () => undefined, /stalled/],
  "an HTTP proxy that sends interim responses now and then": ["http", drip(interim), /stalled/],
  "an HTTP proxy that sends interim responses as fast as they are read": ["http", flood(interim), /network/],
  "an HTTP proxy that sends a header now and then": ["http", says("HTTP/1.1 200 OK\r\n", drip("X: y\r\n")), /stalled/],
  "an HTTP proxy that sends headers as fast as they are read": [
    "http",
    says("HTTP/1.1 200 OK\r\n", flood("X: y\r\n")),
    /network/,
  ],
  "an HTTP proxy behind which no TLS answers": ["http", says("HTTP/1.1 200 OK\r\n\r\n"), /stalled/],
  "a proxy over TLS that never ends its handshake": ["https", () => undefined, /stalled/],
  "a SOCKS proxy that says nothing": ["socks5", () => undefined, /stalled/],
  "a SOCKS proxy that answers byte by byte": ["socks5", drip("\u0005"), /stalled|network/],
}

for (const [name, [scheme, how, wanted]] of Object.entries(proxied)) {
  test(`${name}: the request ends, without accumulated listeners`, async (t) => {
    const warnings: Error[] = []
    const hear = (warning: Error): void => void warnings.push(warning)
    process.on("warning", hear)
    t.after(() => process.off("warning", hear))
    const { host } = await serve(t, how)
    const env = { HTTPS_PROXY: `${scheme}://${host}` }
    const { kind } = await failureOf("https://model.test/v1", { clock }, { env })
    assert.match(kind, wanted)
    assert.deepEqual(warnings, [])
  })
}

test("a TLS handshake that never ends, and a name that never resolves: the request ends", async (t) => {
  const { host, gone } = await serve(t, () => undefined)
  assert.equal((await failureOf(`https://${host}/v1`, { clock })).kind, "stalled")
  await gone()
  const addressPolicy = {
    resolve: () => new Promise<never>(() => undefined),
    allows: () => true,
    allowsName: () => true,
  }
  assert.equal((await failureOf("http://model.test/v1", { clock }, { addressPolicy })).kind, "stalled")
})

test("a redirect is not followed, so there is no redirect loop", async (t) => {
  const { host } = await serve(t, says("HTTP/1.1 307 Go\r\nLocation: /v1/chat/completions\r\n\r\n", drip("x")))
  assert.match((await failureOf(`http://${host}/v1`, { clock })).message, /answered 307 and points to/)
})

test("a proxy that breaks its tunnel before its use ends only the connection", async (t) => {
  const broken = says("HTTP/1.1 200 OK\r\n\r\n", (socket) => void setImmediate(() => socket.resetAndDestroy()))
  const { host } = await serve(t, broken)
  const proxy = { kind: "http", url: new URL(`http://${host}`), name: host, variable: "HTTPS_PROXY" } as const
  const to = { host: "model.test", port: 443, proxy, proxyTime: 10_000, context: undefined, lookup: undefined }
  const socket = await connectStream(to, "tunnel", new AbortController().signal)
  // An unhandled error would end the program here.
  await new Promise<void>((resolve) => void socket.once("close", () => resolve()).resume())
  assert.ok(socket.destroyed)
})
