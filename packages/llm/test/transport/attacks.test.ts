import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import { attack, type Attempt } from "@gong/testing/attacks"
import { createTransport, type TransportOptions } from "../../src/transport/transport.ts"

// Anything between here and a provider may lie: false servers, proxies, redirects. The key must not reach them.

const key = "sk-canary-of-the-wire"
const fixtures = fileURLToPath(new URL("../../../../testing/fixtures/tls/hostile/", import.meta.url))
/** Created with openssl, valid until 2126 except for the invalid ones. */
const pem = (name: string) => readFileSync(`${fixtures}${name}`)

interface ReadThrottle {
  readonly port: number
  /** All received data in clear text: after TLS if the server speaks it. */
  readonly heard: () => string
}

async function throttle(t: TestContext, serverFor: (hear: (bytes: Buffer) => void) => Server): Promise<ReadThrottle> {
  let heard = ""
  const sockets = new Set<Socket>()
  const server = serverFor((bytes) => (heard += bytes.toString("latin1")))
  server.on("connection", (socket) => sockets.add(socket.on("error", () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, heard: () => heard }
}

const reply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

/** Accepts and answers anything. */
function onSocket(hear: (bytes: Buffer) => void, answer = reply) {
  return (socket: Socket): void => {
    socket
      .on("error", () => undefined)
      .on("data", (bytes: Buffer) => {
        hear(bytes)
        socket.write(answer)
      })
  }
}

function tlsServer(certificate: string, answer = reply) {
  const files = { cert: pem(`${certificate}.pem`), key: pem("leaf.key") }
  return (hear: (bytes: Buffer) => void): Server => {
    const server = process.getBuiltinModule("node:tls").createServer(files, onSocket(hear, answer))
    return server.on("tlsClientError", () => undefined)
  }
}

/** Outcome of a request with a key. */
async function ask(t: TestContext, url: string, options: TransportOptions = {}): Promise<string> {
  const transport = createTransport(options)
  t.after(() => transport.close())
  const headers = { authorization: `Bearer ${key}` }
  const signal = AbortSignal.timeout(10_000)
  try {
    const response = await transport.send({ url, method: "POST", headers, body: [Buffer.from("{}")], signal })
    for await (const _ of response.body) continue
    return `status ${response.status}`
  } catch (error) {
    return String(error)
  }
}

/** The same with a client that verifies nothing. */
async function askBlindly(port: number, host: string): Promise<void> {
  const { request } = process.getBuiltinModule("node:https")
  const headers = { authorization: `Bearer ${key}` }
  await new Promise((resolve) =>
    request({ port, host, headers, rejectUnauthorized: false }, (response) => response.resume().on("end", resolve))
      .on("error", resolve)
      .end(),
  )
}

/** Certificates, and the requested host if it is not `localhost`. */
const certificates: Readonly<Record<string, readonly [name: string, host?: string]>> = {
  "wrong-host": ["of another host"],
  "name-beside": ["of another host, with this one as its common name"],
  "unknown-authority": ["of an authority that nobody trusts"],
  "self-signed": ["that signs itself"],
  "by-a-leaf": ["signed by a certificate that is no authority"],
  expired: ["that has expired"],
  "not-yet": ["that is not valid yet"],
  "wildcard-alone": ["of every name"],
  "wildcard-part": ["of a part of the name"],
  "wildcard-deep": ["of names below, for a name two below", "127.0.0.1"],
  "address-as-name": ["that has an address for a name", "127.0.0.1"],
  "other-address": ["of another address", "127.0.0.1"],
  "for-clients": ["that is for clients only"],
  nul: ["of this name, a NUL and another one"],
}

for (const [certificate, [name, host = "localhost"]] of Object.entries(certificates))
  attack(`no key is sent to a server with a certificate ${name}`, async (t, guard): Promise<Attempt> => {
    const server = await throttle(t, tlsServer(certificate))
    const env = { SSL_CERT_FILE: `${fixtures}ca.pem` }
    const printed = guard === "on" ? await ask(t, `https://${host}:${server.port}/v1`, { env }) : ""
    if (guard === "off") await askBlindly(server.port, host)
    return { reached: server.heard().includes(key), printed }
  })

/** The head alone confirms the tunnel; data after it would be the server's. */
const made = "HTTP/1.1 200 OK\r\n\r\n"

attack(
  "a proxy that answers a tunnel itself, without TLS, gets no key and is not accepted as the server",
  async (t, guard) => {
    const answer = guard === "on" ? made + reply : reply
    const proxy = await throttle(t, (hear) => createServer(onSocket(hear, answer)))
    const env = { ALL_PROXY: `http://127.0.0.1:${proxy.port}` }
    const printed = await ask(t, `${guard === "on" ? "https" : "http"}://model.test/v1`, { env })
    return { printed, reached: proxy.heard().includes(key) || printed === "status 200" }
  },
)

attack("a proxy that answers a tunnel itself, with its own certificate, gets no key", async (t, guard) => {
  const inner = await throttle(t, tlsServer(guard === "on" ? "unknown-authority" : "right"))
  const proxy = await throttle(t, () => createServer((socket) => relay(socket, inner.port)))
  const env = { ALL_PROXY: `http://127.0.0.1:${proxy.port}`, SSL_CERT_FILE: `${fixtures}ca.pem` }
  const printed = await ask(t, `https://localhost:1/v1`, { env, proxyLoopback: true })
  return { printed, reached: inner.heard().includes(key) }
})

/** Confirms the tunnel and connects it elsewhere. */
function relay(client: Socket, port: number): void {
  client
    .on("error", () => undefined)
    .once("data", () => {
      const server = process.getBuiltinModule("node:net").connect(port, "127.0.0.1")
      server.on("error", () => client.destroy())
      client.write("HTTP/1.1 200 OK\r\n\r\n")
      client.pipe(server).pipe(client)
    })
}

for (const status of [301, 302, 303, 307, 308])
  for (const [where, scheme] of [
    ["another host", "http"],
    ["the same host without TLS", "https"],
  ] as const)
    attack(`a ${status} to ${where} takes no key along`, async (t, guard) => {
      const other = await throttle(t, (hear) => createServer(onSocket(hear)))
      const leads = `HTTP/1.1 ${status} Moved\r\nLocation: http://localhost:${other.port}/\r\nContent-Length: 0\r\n\r\n`
      const first = await throttle(
        t,
        scheme === "https" ? tlsServer("right", leads) : (hear) => createServer(onSocket(hear, leads)),
      )
      const env = { SSL_CERT_FILE: `${fixtures}ca.pem` }
      const url = guard === "on" ? `${scheme}://localhost:${first.port}/v1` : `http://localhost:${other.port}/`
      const printed = await ask(t, url, { env })
      if (guard === "on") assert.ok(first.heard().includes(key), printed)
      return { printed, reached: other.heard().includes(key) }
    })

/** Spellings similar to the host in NO_PROXY, or to none. */
const around: Readonly<Record<string, string>> = {
  "a name that ends like it": "el.test",
  "a name below the host": "api.model.test",
  "a network that is none": "model.test/8",
  "another port": "model.test:81",
  "a star inside": "mod*.test",
  "a name with a dot behind": "other.test.",
}

for (const [name, value] of Object.entries(around))
  attack(`NO_PROXY with ${name} does not bypass the proxy`, async (t, guard) => {
    const proxy = await throttle(t, (hear) => createServer(onSocket(hear)))
    const env = { ALL_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: guard === "on" ? value : "model.test" }
    const printed = await ask(t, "http://model.test/v1", { env })
    return { printed, reached: !proxy.heard().includes(key) }
  })

test("a proxy that answers in a hundred pieces leaves no listeners on the connection", async (t) => {
  const proxy = await throttle(t, () =>
    createServer((socket) => {
      socket.on("error", () => undefined).once("data", () => void drip(socket))
    }),
  )
  const warnings: string[] = []
  const warned = ({ name }: Error): void => void warnings.push(name)
  process.on("warning", warned)
  t.after(() => process.off("warning", warned))
  await ask(t, "https://model.test/v1", { env: { ALL_PROXY: `http://127.0.0.1:${proxy.port}` } })
  assert.ok(!warnings.includes("MaxListenersExceededWarning"))
})

async function drip(socket: Socket): Promise<void> {
  for (const char of `HTTP/1.1 200 ${"O".repeat(100)}\r\n`) {
    socket.write(char)
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.end()
}
