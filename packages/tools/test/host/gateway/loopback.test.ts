import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, type Server } from "node:net"
import { test, type TestContext } from "node:test"
import { createLoopback } from "../../../src/host/gateway/loopback/loopback.ts"
import { listenersOf } from "../../../src/host/gateway/loopback/listeners.ts"
import { type Namespace, openNamespace } from "../../../src/host/gateway/namespace/namespace.ts"
import type { NetworkPorts } from "../../../src/host/gateway/ports.ts"
import { listening, noGateway, portOf } from "./gateway-fixture.ts"
import { allOf } from "./sockets.ts"

const skip = noGateway

/** The loopback of a network for commands; services of this machine are permitted at `open` ports. */
async function looped(t: TestContext, open: readonly number[] = []) {
  const namespace = await openNamespace({
    bwrap: "/usr/bin/bwrap",
    nsenter: "/usr/bin/nsenter",
    uid: process.getuid?.() ?? null,
  })
  const decided: string[] = []
  const network = {
    async decide({ host, port }: { readonly host: string; readonly port: number }) {
      decided.push(host)
      return open.includes(port) ? { verdict: "allow" } : { verdict: "refuse", why: "closed" }
    },
  } as unknown as NetworkPorts
  const loopback = createLoopback(namespace, network)
  t.after(() => {
    loopback.close()
    namespace.close()
  })
  return { ...loopback, namespace, decided }
}

/** A server of a command, at a port that is free on this machine. */
async function inside(t: TestContext, namespace: Namespace, port?: number): Promise<number> {
  const free = port ?? (await freePort(t))
  const server: Server = await namespace.listen("127.0.0.1", free)
  server.on("connection", (socket) => socket.end("inside"))
  t.after(() => server.close())
  return free
}

async function freePort(t: TestContext): Promise<number> {
  const server = await listening(t, () => undefined)
  const port = portOf(server)
  server.close()
  await once(server, "close")
  return port
}

/** What a service answers; empty if there is none. */
const answer = (port: number) => allOf(connect(port, "127.0.0.1").on("error", () => undefined))

test("a server of a command is reachable on this machine until the last command ends", { skip }, async (t) => {
  const here = await looped(t)
  const port = await inside(t, here.namespace)
  await here.enter()
  assert.equal(await answer(port), "inside")
  await here.enter()
  here.leave()
  assert.equal(await answer(port), "inside")
  here.leave()
  assert.equal(await answer(port), "")
})

test("servers that are found after the end of all commands are not opened", { skip }, async (t) => {
  const here = await looped(t)
  const port = await inside(t, here.namespace)
  const entered = here.enter()
  here.leave()
  await entered
  assert.equal(await answer(port), "")
})

test("ports of system services below 1024 are not opened on this machine", { skip }, async (t) => {
  const here = await looped(t)
  await inside(t, here.namespace, 1023)
  const port = await inside(t, here.namespace)
  await here.enter()
  const own = new Set((await listenersOf("self")).map((one) => one.port))
  assert.deepEqual([own.has(port), own.has(1023)], [true, false])
})

test("permitted services of this machine are reachable for commands, others are not", { skip }, async (t) => {
  const [open, closed] = [
    await listening(t, (socket) => void socket.end("outside")),
    await listening(t, (socket) => void socket.end("outside")),
  ]
  const here = await looped(t, [portOf(open)])
  await here.enter()
  const socket = await here.namespace.connect("127.0.0.1", portOf(open))
  assert.equal(await allOf(socket), "outside")
  socket.destroy()
  await assert.rejects(here.namespace.connect("127.0.0.1", portOf(closed)), { code: "ECONNREFUSED" })
  assert.deepEqual(new Set(here.decided), new Set(["localhost"]))
  here.close()
  await assert.rejects(here.namespace.connect("127.0.0.1", portOf(open)), { code: "ECONNREFUSED" })
})

test("the listeners of a network are those of its loopback interface", { skip }, async (t) => {
  const here = await looped(t)
  const port = await inside(t, here.namespace)
  assert.deepEqual(await listenersOf(here.namespace.pid), [{ port, address: "127.0.0.1" }])
  const six = await here.namespace.listen("::1", port)
  t.after(() => six.close())
  assert.deepEqual(await listenersOf(here.namespace.pid), [
    { port, address: "127.0.0.1" },
    { port, address: "::1" },
  ])
  const any = await here.namespace.listen("::", port + 1 > 65_535 ? port - 1 : port + 1)
  t.after(() => any.close())
  assert.equal((await listenersOf(here.namespace.pid)).length, 4)
  assert.deepEqual(await listenersOf(-1), [])
})
