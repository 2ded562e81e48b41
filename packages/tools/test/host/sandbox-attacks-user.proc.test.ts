import { test } from "node:test"
import { becomeOrdinaryUser, noOrdinaryUser } from "@gong/testing/ordinary-user"

// In a process of its own: where it is root's it becomes an ordinary user's for good, before what is tried is loaded.
const wasRoot = process.geteuid?.() === 0

if (noOrdinaryUser === false) {
  becomeOrdinaryUser()
  const { attackCases } = await import("./attacks/cases.ts")
  const { ipcAttacks, setuidAttacks } = await import("./attacks/ipc.ts")
  const { secretAttacks } = await import("./attacks/secrets.ts")
  const { abstractAttack, socketAttacks } = await import("./attacks/sockets.ts")
  const { steeringAttacks } = await import("./attacks/steering.ts")

  // Whoever is no root has run them already.
  const attacks = [...ipcAttacks, ...setuidAttacks, ...socketAttacks, abstractAttack, ...secretAttacks]
  attackCases(wasRoot ? attacks : [], " of an ordinary user")
  if (wasRoot) steeringAttacks(" for an ordinary user")
} else {
  test("attacks of an ordinary user", { skip: noOrdinaryUser }, () => {})
}
