import assert from "node:assert/strict"
import { test } from "node:test"
import { becomeOrdinaryUser, noOrdinaryUser } from "@gong/testing/ordinary-user"

// Runs in its own process: if started as root it permanently becomes an ordinary user, before the attacks are loaded.
const wasRoot = process.geteuid?.() === 0

if (noOrdinaryUser === false) {
  becomeOrdinaryUser()
  const { attackCases } = await import("../sandbox/attack-cases/cases.ts")
  const { closedPorts, networkAttacks } = await import("../sandbox/attack-cases/network.ts")
  const { clientHello, gatewayPlace, listening, noGateway, portOf, recorder } = await import("./gateway-fixture.ts")

  // An ordinary user has already run them.
  const attacks = wasRoot && noGateway === false ? networkAttacks : []
  attackCases(attacks, " past the gateway of an ordinary user", (t) => gatewayPlace(t, { closed: closedPorts }))

  test(
    "commands of an ordinary user reach permitted hosts and services of this machine",
    { skip: noGateway },
    async (t) => {
      const server = recorder("answer", (text) => text.length > 20)
      const service = await listening(t, (socket) => void socket.end("served"))
      const here = gatewayPlace(t, { allow: ["registry.example.com"], server: await listening(t, server.onConnection) })
      here.put("home/repo/sent", clientHello("registry.example.com"))
      const sent = "exec 3<>/dev/tcp/registry.example.com/443 && cat sent >&3 && timeout 10 cat <&3"
      assert.equal((await here.inside(`${sent}; cat </dev/tcp/127.0.0.1/${portOf(service)}`)).out, "answerserved")
    },
  )
} else {
  test("attacks on the gateway as an ordinary user", { skip: noOrdinaryUser }, () => {})
}
