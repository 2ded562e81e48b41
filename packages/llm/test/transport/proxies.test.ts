import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { test, type TestContext } from "node:test"
import type { TLSSocket } from "node:tls"
import { fileURLToPath } from "node:url"
import { type Failure, FailureError } from "@gong/spec"
import { type LoopbackProxy, startHttpProxy, startSocksProxy } from "@gong/testing/proxies"
import { createTransport, type TransportOptions } from "../../src/transport/transport.ts"

const fixtures = fileURLToPath(new URL("../../../../testing/fixtures/tls/", import.meta.url))
const authority = `${fixtures}ca.pem`
const kinds = { http: startHttpProxy, socks: startSocksProxy } as const

/** An origin with a list of its connections: `model.test` is this machine, known only to the test proxies. */
async function origin(t: TestContext, scheme: "http" | "https") {
  const sockets = new Set<Socket>()
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    sockets.add(request.socket)
    request
      .resume()
      .on("end", () => response.end(`${request.method} ${new URL(request.url ?? "", "http://any").pathname}`))
  }
  const files = { key: readFileSync(`${fixtures}server.key`), cert: readFileSync(`${fixtures}server.pem`) }
  const server =
    scheme === "https"
      ? process.getBuiltinModule("node:https").createServer(files, listener)
      : process.getBuiltinModule("node:http").createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `${scheme}://model.test:${port}/v1`, sockets }
}

async function started(t: TestContext, starting: Promise<LoopbackProxy>): Promise<LoopbackProxy> {
  const proxy = await starting
  t.after(() => proxy.close())
  return proxy
}

function network(t: TestContext, options: TransportOptions) {
  const transport = createTransport(options)
  t.after(() => transport.close())
  return async (url: string, signal = new AbortController().signal): Promise<string> => {
    const body = [Buffer.from("{}")]
    const response = await transport.send({ url, method: "POST", headers: {}, body, signal })
    const parts: Uint8Array[] = []
    for await (const bytes of response.body) parts.push(bytes)
    return Buffer.concat(parts).toString()
  }
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const thrown: unknown = await work.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error,
  )
  assert.ok(thrown instanceof FailureError, String(thrown))
  assert.ok(!JSON.stringify(thrown.failure, null, 1).includes("s3cret"), "no password in a failure")
  return thrown.failure
}

for (const kind of ["http", "socks"] as const) {
  for (const scheme of ["http", "https"] as const) {
    test(`${scheme} through a ${kind} proxy with a password: the proxy resolves the name, and the connection is reused`, async (t) => {
      const proxy = await started(t, kinds[kind]({ user: "me", password: "s3cret:@" }))
      const { url, port, sockets } = await origin(t, scheme)
      const ask = network(t, { env: { ALL_PROXY: proxy.url, SSL_CERT_FILE: authority } })
      for (let i = 0; i < 3; i++) assert.equal(await ask(url), "POST /v1")
      assert.ok(proxy.asked.length > 0)
      assert.deepEqual(new Set(proxy.asked), new Set([`model.test:${port}`]))
      assert.equal(sockets.size, 1)
    })
  }

  test(`a ${kind} proxy that refuses the password, or makes no connection, is named without it`, async (t) => {
    const proxy = await started(t, kinds[kind]({ user: "me", password: "right" }))
    const wrong = proxy.url.replace("right", "s3cret")
    const { message } = await failureOf(network(t, { env: { HTTPS_PROXY: wrong } })("https://model.test/v1"))
    const name = proxy.url.replace("me:right@", "")
    assert.ok(message.includes(`the proxy ${name} (HTTPS_PROXY)`), message)
    assert.match(message, kind === "http" ? /wants a user and a password/ : /Authentication failed/)

    const closed = await started(t, kinds[kind]({ refuse: kind === "http" ? 503 : 4 }))
    const refused = await failureOf(network(t, { env: { ALL_PROXY: closed.url } })("https://model.test/v1"))
    assert.ok(refused.message.includes(`the proxy ${closed.url} (ALL_PROXY)`), refused.message)
    assert.match(refused.message, kind === "http" ? /made no connection \(503\)/ : /HostUnreachable/)
    assert.equal(refused.kind, "network")
  })

  test(`a ${kind} proxy that is not there`, async (t) => {
    const proxy = await kinds[kind]()
    await proxy.close()
    const ask = network(t, { env: { ALL_PROXY: proxy.url.replace("//", "//me:s3cret@") } })
    const { message, retryable } = await failureOf(ask("https://model.test/v1"))
    assert.match(message, new RegExp(`ECONNREFUSED ${proxy.host}, by the proxy ${proxy.url} \\(ALL_PROXY\\)$`))
    assert.equal(retryable, true)
  })
}

test("plain http to a proxy that requires a password", async (t) => {
  const proxy = await started(t, startHttpProxy({ user: "me", password: "right" }))
  const bare = `http://${proxy.host}`
  const failure = await failureOf(network(t, { env: { http_proxy: bare } })("http://model.test/v1"))
  assert.match(failure.message, /^the proxy \S+ \(http_proxy\) wants a user and a password/)
  assert.equal(failure.retryable, false)
})

test("NO_PROXY bypasses it, and loopback addresses do by default", async (t) => {
  const proxy = await started(t, startHttpProxy())
  const { port } = await origin(t, "http")
  const local = `http://127.0.0.1:${port}/v1`
  const env = { ALL_PROXY: proxy.url }
  assert.equal(await network(t, { env })(local), "POST /v1")
  assert.equal(await network(t, { env: { ...env, NO_PROXY: "127.0.0.0/8" }, proxyLoopback: true })(local), "POST /v1")
  assert.deepEqual(proxy.asked, [])
  assert.equal(await network(t, { env, proxyLoopback: true })(local), "POST /v1")
  assert.deepEqual(proxy.asked, [`127.0.0.1:${port}`])
})

test("a private certificate authority: SSL_CERT_FILE, and the message without it", async (t) => {
  const { port } = await origin(t, "https")
  const url = `https://127.0.0.1:${port}/v1`
  assert.equal(await network(t, { env: { SSL_CERT_FILE: authority } })(url), "POST /v1")
  const unknown = await failureOf(network(t, {})(url))
  assert.match(unknown.message, /^UNABLE_TO_\w+: .*name its file in SSL_CERT_FILE, or set tls\.systemCa$/)
  assert.equal(unknown.retryable, false)
  const missing = await failureOf(network(t, { env: { SSL_CERT_FILE: "/no/such.pem" } })(url))
  assert.equal(missing.message, "SSL_CERT_FILE: cannot read /no/such.pem (ENOENT)")
  // The system's list does not contain the test's authority either, and removes nothing.
  assert.match((await failureOf(network(t, { systemCa: true })(url))).message, /^UNABLE_TO_/)
})

test("an abort during a connection through a proxy", async (t) => {
  for (const [scheme, url] of [
    ["socks5", "http://model.test/"],
    ["http", "https://model.test/"],
  ])
    await abortsWhileWaiting(t, `${scheme}:`, `${url}`)
})

async function abortsWhileWaiting(t: TestContext, scheme: string, url: string): Promise<void> {
  const silent = process.getBuiltinModule("node:net").createServer((socket) => {
    socket.on("error", () => undefined)
    controller.abort()
    t.after(() => socket.destroy())
  })
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  t.after(() => silent.close())
  const controller = new AbortController()
  const env = { ALL_PROXY: `${scheme}//127.0.0.1:${(silent.address() as AddressInfo).port}` }
  assert.equal((await failureOf(network(t, { env })(url, controller.signal))).kind, "aborted")
}

test("plain http through a proxy over TLS, whose certificate must be trusted", async (t) => {
  const { port } = await origin(t, "https")
  const env = { http_proxy: `https://127.0.0.1:${port}` }
  assert.equal(await network(t, { env: { ...env, SSL_CERT_FILE: authority } })("http://model.test/v1"), "POST /v1")
  assert.match((await failureOf(network(t, { env })("http://model.test/v1"))).message, /^UNABLE_TO_/)
})

test("a proxy without a port is at the usual one of its kind", async (t) => {
  // No connection can be made to the broadcast address.
  for (const [proxy, port] of [
    ["http://255.255.255.255", 80],
    ["https://255.255.255.255", 443],
    ["socks5://255.255.255.255", 1080],
    ["http://255.255.255.255:81", 81],
    ["https://255.255.255.255:444", 444],
    ["socks5://255.255.255.255:1081", 1081],
  ] as const) {
    const { message } = await failureOf(network(t, { env: { ALL_PROXY: proxy } })("http://model.test/v1"))
    assert.ok(message.includes(`255.255.255.255:${port},`), message)
  }
})

test("a new connection to a server continues the TLS session of the last one, also through a proxy", async (t) => {
  const proxy = await started(t, startHttpProxy())
  const files = { key: readFileSync(`${fixtures}server.key`), cert: readFileSync(`${fixtures}server.pem`) }
  for (const env of [{}, { ALL_PROXY: proxy.url }]) {
    const reused: boolean[] = []
    const server = process.getBuiltinModule("node:https").createServer(files, (request, response) => {
      reused.push((request.socket as TLSSocket).isSessionReused())
      response.setHeader("connection", "close").end("ok")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    t.after(() => server.close())
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const ask = network(t, { env: { ...env, SSL_CERT_FILE: authority }, proxyLoopback: true })
    for (let count = 0; count < 3; count++) assert.equal(await ask(url), "ok")
    assert.deepEqual(reused, [false, true, true])
  }
})
