import assert from "node:assert/strict"
import type { Socket as Datagrams } from "node:dgram"
import { EventEmitter, once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"
import { test, type TestContext } from "node:test"
import type { Admission } from "../../../src/host/gateway/admission.ts"
import type { Namespace } from "../../../src/host/gateway/namespace/namespace.ts"
import type { Target } from "../../../src/host/gateway/ports.ts"
import { GATEWAY_ADDRESS, openServices } from "../../../src/host/gateway/services.ts"
import { noServerName } from "../../../src/host/gateway/texts.ts"
import { clientHello, portOf } from "./gateway-fixture.ts"
import { allOf, socketPair } from "./sockets.ts"

interface Options {
  readonly proxies?: readonly Target[]
  /** Ports beside 80 and 443, by host. */
  readonly ports?: Readonly<Record<string, readonly number[]>>
  /** Hosts that are refused. */
  readonly refused?: readonly string[]
  readonly far?: Socket
  /** Addresses at which no listener can be opened. */
  readonly taken?: readonly string[]
}

/** The services in a namespace whose listeners are at other ports of this machine. */
async function services(t: TestContext, { proxies = [], ports = {}, refused = [], taken = [], far }: Options = {}) {
  const listeners = new Map<string, Server>()
  const names = Object.assign(new EventEmitter(), {
    answers: [] as Buffer[],
    closed: false,
    unref: () => undefined,
    close: () => void (names.closed = true),
    send: (answer: Buffer) => void names.emit("answer", answer),
  })
  const bound: string[] = []
  const namespace = {
    async listen(address: string, port: number) {
      if (taken.includes(address)) throw new Error("EADDRINUSE")
      const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1")
      await once(server, "listening")
      listeners.set(`${address}:${port}`, server)
      return server
    },
    async bind(address: string, port: number) {
      bound.push(`${address}:${port}`)
      return names as unknown as Datagrams
    },
  } as unknown as Namespace
  const reached: string[] = []
  const notes: string[] = []
  const asked: string[] = []
  const admission = {
    note: (why: string) => void notes.push(why),
    admit: async ({ host }: Target) => (refused.includes(host) ? `${host} was refused` : null),
    async reach({ host, port }: Target, how: string) {
      reached.push(`${host}:${port} ${how}`)
      return refused.includes(host) || far === undefined ? { why: `${host} was refused` } : { socket: far, proxy: null }
    },
    async extraPorts(host: string) {
      asked.push(host)
      return ports[host] ?? []
    },
    isAlwaysRefused: async (host: string) => refused.includes(host),
  } as unknown as Admission
  const opened = await openServices(namespace, admission, proxies)
  t.after(() => {
    opened.close()
    for (const server of listeners.values()) server.close()
  })
  return {
    opened,
    listeners,
    names,
    bound,
    reached,
    notes,
    asked,
    /** The address of a name; null if it does not exist. */
    async resolve(name: string): Promise<string | null> {
      const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
      const head = Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      const answer = once(names, "answer") as Promise<[Buffer]>
      names.emit("message", Buffer.concat([head, ...labels, Buffer.from([0, 0, 1, 0, 1])]), { port: 1, address: "a" })
      const [bytes] = await answer
      return bytes.readUInt16BE(6) === 0 ? null : [...bytes.subarray(-4)].join(".")
    },
    dial: (at: string) => connect(portOf(listeners.get(at) ?? assert.fail(at)), "127.0.0.1"),
  }
}

test("ports 80 and 443 are open at the gateway, names at port 53, and a proxy of this machine at its port", async (t) => {
  const made = await services(t, {
    proxies: [
      { host: "localhost", port: 7890 },
      { host: "proxy.com", port: 3128 },
    ],
  })
  assert.equal(GATEWAY_ADDRESS, "127.64.0.1")
  assert.deepEqual([...made.listeners.keys()], ["127.64.0.1:443", "127.64.0.1:80", "127.0.0.1:7890"])
  assert.deepEqual(made.bound, ["127.64.0.1:53"])
  made.opened.close()
  assert.equal(made.names.closed, true)
  assert.deepEqual(
    [...made.listeners.values()].map(({ listening }) => listening),
    [false, false, false],
  )
})

test("a name has the common address, an own one with ports of its own, and none if it is always refused", async (t) => {
  const made = await services(t, {
    ports: { "db.com": [5432, 6000], "own.com": [22] },
    refused: ["no.com", "own.com"],
  })
  assert.equal(await made.resolve("a.com"), "127.64.0.1")
  assert.equal(await made.resolve("no.com"), null)
  assert.equal(await made.resolve("db.com"), "127.64.1.1")
  assert.equal(await made.resolve("own.com"), "127.64.1.2")
  const listeners = [...made.listeners.keys()].slice(2)
  assert.deepEqual(listeners.slice(0, 4), ["127.64.1.1:443", "127.64.1.1:80", "127.64.1.1:5432", "127.64.1.1:6000"])
  assert.deepEqual(listeners.slice(4), ["127.64.1.2:443", "127.64.1.2:80", "127.64.1.2:22"])
  assert.equal(await made.resolve("db.com"), "127.64.1.1")
  assert.deepEqual(made.asked, ["a.com", "no.com", "db.com", "own.com"], "an own address stays")
  assert.equal(made.listeners.size, 9)
})

test("a host whose own address cannot be opened has the common one", async (t) => {
  const made = await services(t, { ports: { "db.com": [5432] }, taken: ["127.64.1.1"] })
  assert.equal(await made.resolve("db.com"), "127.64.0.1")
})

test("200 hosts have an address of their own", async (t) => {
  const hosts = Array.from({ length: 201 }, (_, at) => `h${at}.com`)
  const addresses = hosts.map((_, at) => `127.64.1.${at + 1}`)
  const made = await services(t, {
    ports: Object.fromEntries(hosts.map((host) => [host, [22]])),
    taken: addresses,
  })
  for (const host of hosts.slice(0, 200)) await made.resolve(host)
  const known = made.asked.length
  await made.resolve("h0.com")
  assert.equal(made.asked.length, known)
  await made.resolve("h200.com")
  await made.resolve("h200.com")
  assert.equal(made.asked.length, known + 2, "it has none to keep")
})

test("at a port of its own a host is reached with any protocol, or the connection is closed", async (t) => {
  const way = await socketPair(t)
  const made = await services(t, { ports: { "db.com": [5432], "no.com": [22] }, refused: ["no.com"], far: way.near })
  await made.resolve("db.com")
  await made.resolve("no.com")
  const client = made.dial("127.64.1.1:5432")
  client.end("question")
  assert.equal(await allOf(way.far), "question")
  way.far.end("answer")
  assert.equal(await allOf(client), "answer")
  assert.equal(await allOf(made.dial("127.64.1.2:22")), "")
  assert.deepEqual(made.reached, ["db.com:5432 stream", "no.com:22 stream"])
})

test("TLS is relayed to the named server, and a connection without a name is noted", async (t) => {
  const way = await socketPair(t)
  const made = await services(t, { far: way.near })
  const client = made.dial("127.64.0.1:443")
  const hello = clientHello("a.com")
  client.end(hello)
  assert.equal(await allOf(way.far), hello.toString())
  way.far.end()
  await allOf(client)
  assert.deepEqual([made.reached, made.notes], [["a.com:443 stream"], []])
  const nameless = made.dial("127.64.0.1:443")
  nameless.write("GET / HTTP/1.1\r\n\r\n")
  await allOf(nameless)
  assert.deepEqual(made.notes, [noServerName()])
})

test("HTTP is served at port 80, and CONNECT only at a proxy of the user", async (t) => {
  const proxies = [
    { host: "proxy.com", port: 3128 },
    { host: "proxy.com", port: 80 },
    { host: "localhost", port: 7890 },
  ]
  const made = await services(t, { proxies, ports: { "proxy.com": [3129] }, refused: ["no.com", "a.com"] })
  assert.equal(await made.resolve("proxy.com"), "127.64.1.1")
  const own = [...made.listeners.keys()].slice(3)
  assert.deepEqual(own, ["127.64.1.1:443", "127.64.1.1:80", "127.64.1.1:3128", "127.64.1.1:3129"])
  const status = async (at: string, request: string) => {
    const client = made.dial(at)
    client.write(`${request} HTTP/1.1\r\nHost: a.com\r\n\r\n`)
    return (await allOf(client)).split("\r\n")[0]
  }
  for (const at of ["127.64.0.1:80", "127.64.1.1:80"])
    assert.equal(await status(at, "CONNECT b.com:443"), "HTTP/1.1 405 Method Not Allowed", at)
  for (const at of ["127.64.1.1:3128", "127.0.0.1:7890"]) {
    assert.equal(await status(at, "CONNECT no.com:443"), "HTTP/1.1 403 Forbidden", at)
    assert.equal(await status(at, "CONNECT b.com:22"), "HTTP/1.1 200 Connection established", at)
    assert.equal(await status(at, "GET /"), "HTTP/1.1 403 Forbidden", at)
  }
  assert.equal(await status("127.64.1.1:3129", "CONNECT b.com:22"), "")
  const streams = ["b.com:22 stream", "a.com:80 http"]
  assert.deepEqual(made.reached, [...streams, ...streams, "proxy.com:3129 stream"])
})

test("a tunnel to port 443 may name only the server that was asked for", async (t) => {
  const made = await services(t, { proxies: [{ host: "localhost", port: 7890 }] })
  for (const [name, reached] of [
    ["b.com", []],
    ["a.com", ["a.com:443 stream"]],
  ] as const) {
    const client = made.dial("127.0.0.1:7890")
    client.write("CONNECT a.com:443 HTTP/1.1\r\n\r\n")
    await once(client, "readable")
    client.write(clientHello(name))
    await allOf(client)
    assert.deepEqual(made.reached, reached)
  }
})
