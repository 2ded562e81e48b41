import assert from "node:assert/strict"
import { once } from "node:events"
import type { Socket } from "node:net"
import { test, type TestContext } from "node:test"
import type { OpenedConnection, Target, FailedConnection } from "../../../src/host/gateway/ports.ts"
import { type HttpService, serveHttp } from "../../../src/host/gateway/protocols/serve-http.ts"
import { serveTls } from "../../../src/host/gateway/protocols/serve-tls.ts"
import { clientHello } from "./gateway-fixture.ts"
import { allOf, socketPair } from "./sockets.ts"

interface Served {
  readonly client: Socket
  /** The remote end of the opened connection. */
  readonly server: Socket
  readonly reached: string[]
  readonly done: Promise<void>
}

/** A plain HTTP client; `proxy`: headers that the upstream proxy requires. */
async function http(
  t: TestContext,
  service: Partial<HttpService> = {},
  proxy: OpenedConnection["proxy"] = null,
): Promise<Served> {
  const [client, way] = [await socketPair(t), await socketPair(t)]
  const reached: string[] = []
  const reach = async ({ host, port }: Target): Promise<OpenedConnection | FailedConnection> => {
    reached.push(`${host}:${port}`)
    return host === "no.com" ? { why: "no.com was refused" } : { socket: way.near, proxy }
  }
  const done = serveHttp(client.far, { reach, proxy: null, ...service })
  return { client: client.near, server: way.far, reached, done }
}

const passed = async (t: TestContext, request: string, proxy: OpenedConnection["proxy"]) => {
  const open = { admit: async () => null, tunnel: async () => undefined }
  const served = await http(t, { proxy: open }, proxy)
  served.client.end(request)
  const [bytes] = (await once(served.server, "data")) as [Buffer]
  return bytes.toString("latin1")
}

test("a request is forwarded with its path to a server, and with its absolute URL to a proxy", async (t) => {
  const rows: readonly (readonly [string, OpenedConnection["proxy"], string])[] = [
    ["GET /a HTTP/1.1\r\nHost: a.com", null, "GET /a HTTP/1.1\r\nHost: a.com\r\n"],
    ["GET http://a.com:81/a HTTP/1.1", null, "GET /a HTTP/1.1\r\nHost: a.com:81\r\n"],
    ["GET /a HTTP/1.1\r\nHost: a.com", ["P: 1"], "GET http://a.com/a HTTP/1.1\r\nHost: a.com\r\nP: 1\r\n"],
    ["GET http://a.com:81/ HTTP/1.1", [], "GET http://a.com:81/ HTTP/1.1\r\nHost: a.com:81\r\n"],
    ["OPTIONS * HTTP/1.1\r\nHost: a.com", [], "OPTIONS http://a.com HTTP/1.1\r\nHost: a.com\r\n"],
    ["OPTIONS * HTTP/1.1\r\nHost: a.com", null, "OPTIONS * HTTP/1.1\r\nHost: a.com\r\n"],
  ]
  for (const [request, proxy, head] of rows)
    assert.equal(await passed(t, `${request}\r\n\r\n`, proxy), `${head}Connection: close\r\n\r\n`)
})

test("a refused request is answered with the reason, and the connection ends", async (t) => {
  const answered = (head: string, why: string) =>
    `HTTP/1.1 ${head}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${why.length + 1}\r\nConnection: close\r\n\r\n${why}\n`
  const unread = "The request cannot be read."
  const noTunnel = "CONNECT is not served here."
  const rows = [
    ["GET / HTTP/1.1\r\n\r\n", answered("400 Bad Request", unread)],
    [`GET / HTTP/1.1\r\nX: ${"x".repeat(16_400)}`, answered("431 Request Header Fields Too Large", unread)],
    ["GET / HTTP/1.1\r\nHost: a.com\r\nTransfer-Encoding: chunked\r\n\r\n", answered("411 Length Required", unread)],
    ["GET / HTTP/1.1\r\nHost: a.com:81\r\n\r\n", answered("403 Forbidden", "Only port 80 is served here.")],
    ["GET / HTTP/1.1\r\nHost: no.com\r\n\r\n", answered("403 Forbidden", "no.com was refused")],
    ["CONNECT a.com:443 HTTP/1.1\r\n\r\n", answered("405 Method Not Allowed", noTunnel)],
  ] as const
  for (const [request, answer] of rows) {
    const served = await http(t)
    served.client.write(request)
    assert.equal(await allOf(served.client), answer)
    await served.done
  }
  const open = { admit: async () => null, tunnel: () => assert.fail("bytes came before the answer") }
  const early = await http(t, { proxy: open })
  early.client.write("CONNECT a.com:443 HTTP/1.1\r\n\r\nx")
  assert.equal(await allOf(early.client), answered("405 Method Not Allowed", noTunnel))
})

test("a body is forwarded at the server's pace up to its length, and the response is complete", async (t) => {
  const body = "b".repeat(300_000)
  const { client, server, done } = await http(t)
  client.write(`POST / HTTP/1.1\r\nHost: a.com\r\nContent-Length: ${body.length}\r\n\r\n`)
  client.end(`${body}GET / HTTP/1.1\r\n\r\n`)
  const head = `POST / HTTP/1.1\r\nHost: a.com\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  const come: Buffer[] = []
  let size = 0
  server.on("data", (bytes: Buffer) => {
    come.push(bytes)
    size += bytes.length
    if (size === head.length + body.length) server.end("answer")
  })
  assert.equal(await allOf(client), "answer")
  await done
  assert.equal(Buffer.concat(come).toString("latin1"), head + body)
})

test("the end of either side ends the other, and so does a missing first message", async (t) => {
  const left = await http(t)
  left.client.write("GET / HTTP/1.1\r\nHost: a.com\r\n\r\n")
  await once(left.server.resume(), "data")
  left.client.resetAndDestroy()
  await Promise.all([once(left.server, "end"), left.done])
  const broken = await http(t)
  broken.client.write("GET / HTTP/1.1\r\nHost: a.com\r\n\r\n")
  await once(broken.server.resume(), "data")
  broken.server.resetAndDestroy()
  await Promise.all([once(broken.client.resume(), "end"), broken.done])
  const nothing = await http(t)
  nothing.client.end("GET / HT")
  await Promise.all([once(nothing.client.resume(), "end"), nothing.done])
  assert.deepEqual(nothing.reached, [])
})

test("a TLS connection without a server name, to another name, or to a refused host ends with an alert", async (t) => {
  const denied = Buffer.from([21, 3, 1, 0, 2, 2, 49]).toString("latin1")
  const rows = [
    ["GET / HTTP/1.1\r\n\r\n", undefined, true],
    [clientHello("b.com"), "a.com", true],
    [clientHello("no.com"), undefined, false],
    [clientHello("no.com"), "no.com", false],
  ] as const
  for (const [bytes, only, isNameless] of rows) {
    const { near, far } = await socketPair(t)
    let onMissingName = false
    const service = { reach: async () => null, onMissingName: () => void (onMissingName = true), ...(only && { only }) }
    const done = serveTls(far, service)
    near.write(bytes)
    assert.equal(await allOf(near), denied)
    await done
    assert.equal(onMissingName, isNameless, String(bytes))
  }
  const { near, far } = await socketPair(t)
  const done = serveTls(far, { reach: () => assert.fail("nothing was named"), onMissingName: () => undefined })
  near.end(clientHello("a.com").subarray(0, 20))
  await Promise.all([once(near.resume(), "end"), done])
})

test("a body is forwarded in all its pieces, and nothing behind it", async (t) => {
  const served = await http(t)
  const seen: string[] = []
  served.server.on("data", (bytes: Buffer) => void seen.push(bytes.toString()))
  const until = async (text: string) => {
    while (!seen.join("").endsWith(text)) await new Promise((resolve) => setImmediate(resolve))
  }
  served.client.write("POST /a HTTP/1.1\r\nHost: a.com\r\nContent-Length: 10\r\n\r\nabc")
  await until("abc")
  served.client.write("def")
  await until("abcdef")
  served.client.end("ghij and more")
  await until("abcdefghij")
  served.server.end("answer")
  assert.equal(await allOf(served.client), "answer")
  await served.done
  assert.equal(seen.join("").split("\r\n\r\n")[1], "abcdefghij")
})
