import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"
import { test, type TestContext } from "node:test"
import { createForwards } from "../../../src/host/gateway/loopback/forwards.ts"
import type { Listener } from "../../../src/host/gateway/loopback/listeners.ts"
import { portOf } from "./gateway-fixture.ts"
import { allOf, socketPair } from "./sockets.ts"

const at = (port: number, address: Listener["address"] = "127.0.0.1"): Listener => ({ port, address })

/** Forwards with listeners at ports of their own; `denied` and `taken` are ports. */
function forwards(t: TestContext, { denied = 0, taken = 0, reach }: Options = {}) {
  const servers = new Map<string, Server>()
  const made = createForwards({
    allows: async ({ port }) => port !== denied,
    async listen({ address, port }) {
      if (port === taken) throw new Error("EADDRINUSE")
      const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1")
      await once(server, "listening")
      servers.set(`${address} ${port}`, server)
      return server
    },
    connect: reach ?? (() => Promise.reject(new Error("ECONNREFUSED"))),
  })
  t.after(() => {
    made.close()
    for (const server of servers.values()) server.close()
  })
  return { ...made, servers }
}

interface Options {
  readonly denied?: number
  readonly taken?: number
  readonly reach?: (at: Listener) => Promise<Socket>
}

test("requested ports are opened, others closed, and refused or used ones skipped", async (t) => {
  const made = forwards(t, { denied: 2, taken: 3 })
  await made.follow([at(1), at(1, "::1"), at(2), at(3), at(4)])
  assert.deepEqual([...made.servers.keys()], ["127.0.0.1 1", "::1 1", "127.0.0.1 4"])
  const has = [at(1), at(1, "::1"), at(2), at(3), at(4), at(5)].map(made.has)
  assert.deepEqual(has, [true, true, false, false, true, false])
  const first = made.servers.get("127.0.0.1 1")
  assert.equal(first?.maxConnections, 256)
  await made.follow([at(4)])
  assert.deepEqual([first?.listening, made.servers.get("127.0.0.1 4")?.listening], [false, true])
  assert.deepEqual([made.has(at(1)), made.has(at(4))], [false, true])
  made.close()
  assert.deepEqual([made.servers.get("127.0.0.1 4")?.listening, made.has(at(4))], [false, false])
})

test("at most 128 ports are open", async (t) => {
  const made = forwards(t)
  await made.follow(Array.from({ length: 130 }, (_, port) => at(port + 1)))
  assert.equal(made.servers.size, 128)
})

test("a listener that opens after its port was dropped is closed", async (t) => {
  const made = forwards(t)
  const following = made.follow([at(1)])
  await made.follow([])
  await following
  assert.deepEqual([made.has(at(1)), made.servers.get("127.0.0.1 1")?.listening], [false, false])
})

test("a connection is forwarded to its port on the other side, and reset without a listener", async (t) => {
  const { near, far } = await socketPair(t)
  const asked: Listener[] = []
  const reach = async (one: Listener) => {
    asked.push(one)
    if (one.port === 2) throw new Error("ECONNREFUSED")
    return near
  }
  const made = forwards(t, { reach })
  await made.follow([at(1), at(2)])
  const dial = (port: number) => connect(portOf(made.servers.get(`127.0.0.1 ${port}`) as Server), "127.0.0.1")
  const through = dial(1)
  through.end("question")
  assert.equal(await allOf(far), "question")
  far.end("answer")
  assert.equal(await allOf(through), "answer")
  const [error] = (await once(dial(2).resume(), "error")) as [NodeJS.ErrnoException]
  assert.equal(error.code, "ECONNRESET")
  assert.deepEqual(asked, [at(1), at(2)])
})

test("an error on the other side resets the connection", async (t) => {
  const { near } = await socketPair(t)
  const made = forwards(t, { reach: async () => near })
  await made.follow([at(1)])
  const client = connect(portOf(made.servers.get("127.0.0.1 1") as Server), "127.0.0.1").resume()
  const failed = once(client, "error") as Promise<[NodeJS.ErrnoException]>
  await once(client, "connect")
  while (near.listenerCount("error") < 3) await new Promise(setImmediate)
  near.destroy(new Error("ETIMEDOUT"))
  assert.equal((await failed)[0].code, "ECONNRESET")
})
