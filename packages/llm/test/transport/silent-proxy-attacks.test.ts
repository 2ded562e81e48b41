import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { test, type TestContext } from "node:test"
import { FailureError } from "@gong/spec"
import { attack } from "@gong/testing/attacks"
import { createDialer } from "../../src/transport/dial.ts"
import { ProxyTimeout } from "../../src/transport/http/connect.ts"
import { createTransport } from "../../src/transport/transport.ts"

// A proxy that accepts a connection and then stays silent, at each step of its protocol.

interface Silence {
  readonly scheme: "http" | "https" | "socks5"
  /** The last data that it sends. */
  readonly answer: string
  /** It connects, and the server beyond it is silent. */
  readonly connects?: true
}

const socksMade = "\x05\0\x05\0\0\x01\0\0\0\0\0\0"
const silences: Readonly<Record<string, Silence>> = {
  "an HTTP proxy, before its answer": { scheme: "http", answer: "" },
  "an HTTP proxy, within the status line": { scheme: "http", answer: "HTTP/1.1 20" },
  "an HTTP proxy, within the headers": { scheme: "http", answer: "HTTP/1.1 200 OK\r\nVia: " },
  "an HTTP proxy, after an interim response": { scheme: "http", answer: "HTTP/1.1 102 Processing\r\n\r\n" },
  "an HTTP proxy, after 200": { scheme: "http", answer: "HTTP/1.1 200 OK\r\n\r\n", connects: true },
  "an HTTP proxy, within a TLS record": {
    scheme: "http",
    answer: "HTTP/1.1 200 OK\r\n\r\n\x16\x03\x03",
    connects: true,
  },
  "an HTTPS proxy, before its TLS": { scheme: "https", answer: "" },
  "an HTTPS proxy, within a TLS record": { scheme: "https", answer: "\x16\x03\x03" },
  "a SOCKS proxy, before its answer": { scheme: "socks5", answer: "" },
  "a SOCKS proxy, within its first answer": { scheme: "socks5", answer: "\x05" },
  "a SOCKS proxy, after its first answer": { scheme: "socks5", answer: "\x05\0" },
  "a SOCKS proxy, within its second answer": { scheme: "socks5", answer: "\x05\0\x05\0\0\x01\0" },
  "a SOCKS proxy, after its connection": { scheme: "socks5", answer: socksMade, connects: true },
}

/** Milliseconds: short enough to end at once, and longer than any test. */
const short = 50
const long = 2 ** 31 - 1

async function silentProxy(t: TestContext, { scheme, answer }: Silence, onAsked: () => void = () => undefined) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined))
    socket.once("data", () => socket.write(answer, "latin1", onAsked))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const name = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const closed = (socket: Socket) =>
    new Promise<void>((resolve) => {
      if (socket.destroyed) resolve()
      else socket.resume().on("close", () => resolve())
    })
  return { name, env: { ALL_PROXY: name }, gone: async () => void (await Promise.all(Array.from(sockets, closed))) }
}

type Env = Readonly<Record<string, string>>

/** Over the transport for models; `kind: message` of the failure. */
async function request(env: Env, proxyTime: number, signal: AbortSignal): Promise<string> {
  const transport = createTransport({ env, proxyTime })
  const asked = { url: "https://model.test/v1", method: "GET" as const, headers: {}, body: [], signal }
  try {
    return `status ${(await transport.send(asked)).status}`
  } catch (error) {
    return error instanceof FailureError ? `${error.failure.kind}: ${error.failure.message}` : String(error)
  } finally {
    transport.close()
  }
}

/** Over the dialer of the gateway. */
async function dial(env: Env, proxyTime: number, signal: AbortSignal): Promise<unknown> {
  const dialer = createDialer({ env, proxyTime, resolve: async () => [] })
  const to = { host: "model.test", port: 443, how: "stream", within: "public" } as const
  return dialer(to, signal).then(
    ({ socket }) => socket.destroy(),
    (error: unknown) => error,
  )
}

for (const [name, silence] of Object.entries(silences)) {
  attack(`silence of ${name}, keeps a request waiting`, async (t, guard) => {
    const proxy = await silentProxy(t, silence)
    const leave = new AbortController()
    let over = false
    const waiting = request(proxy.env, guard === "on" ? short : long, leave.signal).then((printed) => {
      over = true
      return printed
    })
    if (guard === "off") await request(proxy.env, short, leave.signal)
    else assert.equal(await waiting, `network: the proxy ${proxy.name} (ALL_PROXY) made no connection in 0 s`)
    const reached = !over
    leave.abort()
    await waiting
    await proxy.gone()
    return { reached }
  })

  test(`silence of ${name}: an abort ends the request at once, and the connection with it`, async (t) => {
    const stop = new AbortController()
    const proxy = await silentProxy(t, silence, () => stop.abort())
    assert.equal(await request(proxy.env, long, stop.signal), "aborted: Operation aborted")
    await proxy.gone()
  })

  if (silence.connects) continue
  test(`silence of ${name}: a command's connection ends in time, and at once after an abort`, async (t) => {
    const stop = new AbortController()
    const aborting = await silentProxy(t, silence, () => stop.abort(new Error("left")))
    assert.match(String(await dial(aborting.env, long, stop.signal)), /left|AbortError/)
    await aborting.gone()
    const proxy = await silentProxy(t, silence)
    assert.ok((await dial(proxy.env, short, new AbortController().signal)) instanceof ProxyTimeout)
    await proxy.gone()
  })
}

test("an abort before the request to a SOCKS proxy", async () => {
  const stop = new AbortController()
  const waiting = request({ ALL_PROXY: "socks5://127.0.0.1:1" }, long, stop.signal)
  stop.abort()
  assert.equal(await waiting, "aborted: Operation aborted")
})
