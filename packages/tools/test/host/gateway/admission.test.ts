import assert from "node:assert/strict"
import { Socket } from "node:net"
import { test } from "node:test"
import { createAdmission } from "../../../src/host/gateway/admission.ts"
import type { NetworkPorts, Target, Verdict } from "../../../src/host/gateway/index.ts"
import { ownServices } from "../../../src/host/gateway/texts.ts"

/** `verdicts` by `host:port`; all other targets are refused. */
function network(verdicts: Readonly<Record<string, Verdict["verdict"]>>, yes = true) {
  const asked: { readonly at: string; readonly signal: AbortSignal }[] = []
  const refuse = ({ host, port }: Target): Verdict => ({ verdict: "refuse", why: `${host}:${port} was refused` })
  const ports: NetworkPorts = {
    decide: async (target) => {
      const verdict = verdicts[`${target.host}:${target.port}`] ?? "refuse"
      return verdict === "refuse" ? refuse(target) : { verdict }
    },
    ports: async () => [22, 8080, 9000],
    async ask(target, signal) {
      asked.push({ at: `${target.host}:${target.port}`, signal })
      return yes ? { verdict: "allow" } : refuse(target)
    },
    connect: async ({ host }) => ({ why: `${host} could not be reached` }),
  }
  return { ports, asked }
}

test("the user is asked once per host and port while commands run, and again once all have ended", async () => {
  const { ports, asked } = network({ "a.com:443": "ask", "a.com:444": "ask" })
  const admission = createAdmission(ports)
  const [first, second] = [admission.enter(), admission.enter()]
  const ask = (port: number) => admission.admit({ host: "a.com", port })
  assert.deepEqual(await Promise.all([ask(443), ask(443), ask(444)]), [null, null, null])
  first()
  assert.equal(await ask(443), null)
  assert.deepEqual(
    asked.map(({ at }) => at),
    ["a.com:443", "a.com:444"],
  )
  assert.equal(asked[0]?.signal.aborted, false, "a command still runs")
  assert.equal(second(), null)
  assert.equal(asked[0]?.signal.aborted, true)
  const third = admission.enter()
  assert.equal(await ask(443), null)
  assert.deepEqual([asked.length, asked[2]?.signal.aborted], [3, false])
  third()
})

test("names of this machine's services are refused at every port, whatever the rules", async () => {
  const { ports } = network({ "localhost:80": "allow", "a.localhost:80": "allow", "notlocalhost:80": "allow" })
  const admission = createAdmission(ports)
  const admit = (host: string) => admission.admit({ host, port: 80 })
  assert.deepEqual(
    [await admit("localhost"), await admit("a.localhost"), await admit("notlocalhost"), await admit("localhost.com")],
    [ownServices(), ownServices(), null, "localhost.com:80 was refused"],
  )
})

test("every running command gets a note about a refused host once; beyond three hosts only the number", async () => {
  const { ports } = network({ "open.com:80": "allow", "asked.com:80": "ask" }, false)
  const admission = createAdmission(ports)
  const [one, other] = [admission.enter(), admission.enter()]
  const reach = (host: string) => admission.reach({ host, port: 80 }, "stream")
  assert.deepEqual(await reach("open.com"), { why: "open.com could not be reached" })
  assert.deepEqual(await reach("asked.com"), { why: "asked.com:80 was refused" })
  await reach("a.com")
  await reach("a.com")
  const three =
    "[network: open.com could not be reached]\n[network: asked.com:80 was refused]\n[network: a.com:80 was refused]"
  assert.equal(one(), three)
  await reach("b.com")
  await reach("c.com")
  assert.equal(other(), `${three}\n[network: 2 more hosts were refused]`)
  assert.equal(admission.enter()(), null)
})

test("a connection that is made leaves no note", async () => {
  const { ports } = network({ "a.com:80": "allow" })
  const connection = { socket: new Socket(), proxy: null }
  const admission = createAdmission({ ...ports, connect: async () => connection })
  const leave = admission.enter()
  assert.equal(await admission.reach({ host: "a.com", port: 80 }, "http"), connection)
  assert.equal(leave(), null)
})

test("a host gets its extra permitted ports, and a name that is always refused is noted", async () => {
  const { ports } = network({ "a.com:8080": "allow", "a.com:9000": "ask", "a.com:443": "ask", "b.com:443": "allow" })
  const admission = createAdmission(ports)
  assert.deepEqual(await admission.extraPorts("a.com"), [8080])
  const leave = admission.enter()
  assert.deepEqual(
    [
      await admission.isAlwaysRefused("a.com"),
      await admission.isAlwaysRefused("b.com"),
      await admission.isAlwaysRefused("c.com"),
    ],
    [false, false, true],
  )
  assert.equal(leave(), "[network: c.com:443 was refused]")
})
