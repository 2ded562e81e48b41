import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { test, type TestContext } from "node:test"
import type { Decision, PolicyCall } from "@gong/spec"
import { startHttpProxy } from "@gong/testing/proxies"
import { sessionNetworkPorts } from "../../src/compose/network/network-ports.ts"

type Hosts = ReturnType<typeof sessionNetworkPorts>
type Values = Parameters<typeof sessionNetworkPorts>[1]

interface Given {
  readonly decision?: (call: PolicyCall) => Decision
  /** The user's answer; null: no user. */
  readonly answer?: boolean | null
  readonly env?: Readonly<Record<string, string>>
}

function hostsWith({ decision = () => ({ verdict: "allow" }), answer = null, env = {} }: Given) {
  const asked: PolicyCall[] = []
  const hosts: Hosts = sessionNetworkPorts({ env }, { values: { "tls.systemCa": false } } as Values)
  const permit = async (call: PolicyCall) => {
    asked.push(call)
    return answer === true
  }
  const policy = { decide: async (call: PolicyCall) => decision(call), hostPorts: async () => [22] }
  hosts.attach({ policy, session: { permit: answer === null ? null : permit } })
  return { ports: hosts.ports, asked }
}

const { signal } = new AbortController()
const ask: Decision = { verdict: "ask", reason: "why" }

async function welcome(t: TestContext): Promise<number> {
  const server = createServer((socket) => void socket.end("welcome")).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

test("policy decides first, then the user; without a user the host is refused", async () => {
  const target = { host: "a.example.com", port: 443 }
  const denied = hostsWith({
    decision: () => ({ verdict: "deny", reason: "rule", toModel: "told to the model" }),
    answer: true,
  })
  assert.deepEqual(await denied.ports.decide(target), { verdict: "refuse", why: "told to the model" })
  assert.deepEqual(await denied.ports.ask(target, signal), { verdict: "refuse", why: "told to the model" })
  assert.deepEqual(denied.asked, [])
  const yes = hostsWith({ decision: () => ask, answer: true })
  assert.deepEqual(
    [await yes.ports.decide(target), await yes.ports.ask(target, signal)],
    [{ verdict: "ask" }, { verdict: "allow" }],
  )
  assert.deepEqual(yes.asked, [{ tool: "network", arguments: target, title: "a.example.com" }])
  for (const answer of [false, null])
    assert.deepEqual(await hostsWith({ decision: () => ask, answer }).ports.ask(target, signal), {
      verdict: "refuse",
      why: "a.example.com was refused by the user",
    })
})

test("hosts are reached over the user's own proxy; a host in a private network needs a second approval", async (t) => {
  const port = await welcome(t)
  const proxy = await startHttpProxy()
  t.after(() => proxy.close())
  const env = { ALL_PROXY: proxy.url }
  const open = await hostsWith({ env }).ports.connect({ host: "model.test", port }, "stream", signal)
  assert.ok("socket" in open)
  const heard: string[] = []
  for await (const bytes of open.socket) heard.push(String(bytes))
  assert.deepEqual([heard.join(""), proxy.asked], ["welcome", [`model.test:${port}`]])

  const decision = (call: PolicyCall): Decision => (call.arguments["near"] === true ? ask : { verdict: "allow" })
  const near = { host: "wiki.internal", port: 443 }
  const no = hostsWith({ env, decision, answer: false })
  assert.deepEqual(await no.ports.connect(near, "stream", signal), {
    why: "wiki.internal was refused by the user (it lies in a private network)",
  })
  assert.deepEqual(no.asked, [{ tool: "network", arguments: { ...near, near: true }, title: "wiki.internal" }])
  assert.equal(proxy.asked.length, 1)
  const yes = await hostsWith({ env, decision, answer: true }).ports.connect(near, "stream", signal)
  assert.ok("why" in yes && yes.why.startsWith("wiki.internal:443 could not be reached"))
  assert.equal(proxy.asked.length, 2, "the proxy was asked, which does not know it")
})

test("no name resolves to this machine, whatever policy says", async () => {
  const { ports } = hostsWith({ answer: true })
  for (const host of ["localhost", "a.localhost"]) {
    const found = await ports.connect({ host, port: 22 }, "stream", signal)
    assert.ok("why" in found && found.why.startsWith(`${host}:22 could not be reached`), host)
  }
})
