import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { test } from "node:test"
import { readPrefix } from "../../../src/host/gateway/protocols/relay.ts"
import { attackCases } from "../sandbox/attack-cases/cases.ts"
import { closedPorts, networkAttacks } from "../sandbox/attack-cases/network.ts"
import { clientHello, gatewayPlace, listening, noGateway, portOf, recorder } from "./gateway-fixture.ts"

if (noGateway === false)
  attackCases(networkAttacks, " past the gateway", (t) => gatewayPlace(t, { closed: closedPorts }))

test("700 connections of one command are limited, and later ones are served", { skip: noGateway }, async (t) => {
  const server = recorder("answer", (text) => text.length > 20)
  const here = gatewayPlace(t, { allow: ["registry.example.com"], server: await listening(t, server.onConnection) })
  const script = `
    const { connect } = require("node:net")
    let closed = 0
    const end = (bounded) => { console.log(bounded); process.exit() }
    setTimeout(end, 9_000, false)
    for (let at = 0; at < 700; at++) {
      const socket = connect(443, "127.64.0.1")
      socket.on("error", () => undefined).on("close", () => ++closed === 188 && end(true)).resume()
    }`
  here.put("home/repo/flood.js", script)
  here.put("home/repo/sent", clientHello("registry.example.com"))
  assert.equal((await here.inside("node flood.js")).out, "true\n")
  const after = "exec 3<>/dev/tcp/registry.example.com/443 && cat sent >&3 && timeout 10 cat <&3"
  assert.equal((await here.inside(`for i in $(seq 20); do (${after}) && break; sleep 0.1; done`)).out, "answer")
})

test("an endless first message is dropped at its timeout, an oversized one at once", async (t) => {
  const server = await listening(t, (socket) => void socket.write("x".repeat(100)))
  const begin = async (maxBytes: number, maxMs: number) => {
    const socket = connect(portOf(server), "127.0.0.1")
    await once(socket, "connect")
    const found = await readPrefix(socket, () => "more" as const, { maxBytes, maxMs })
    socket.destroy()
    return found
  }
  assert.equal(await begin(1000, 50), null)
  assert.equal(await begin(10, 60_000), null)
})
