import { test } from "node:test"
import { becomeOrdinaryUser, noOrdinaryUser } from "@gong/testing/ordinary-user"

// In a process of its own: where it is root's it becomes an ordinary user's for good, before what is tried is loaded.
const wasRoot = process.geteuid?.() === 0

if (noOrdinaryUser === false) {
  becomeOrdinaryUser()
  const { attackCases } = await import("./attack-cases/cases.ts")
  const { ipcAttacks, setuidAttacks } = await import("./attack-cases/ipc.ts")
  const { secretAttacks } = await import("./attack-cases/secrets.ts")
  const { abstractAttack, socketAttacks } = await import("./attack-cases/sockets.ts")
  const { autorunAttacks } = await import("./attack-cases/autorun.ts")

  // Whoever is no root has run them already.
  const attacks = [...ipcAttacks, ...setuidAttacks, ...socketAttacks, abstractAttack, ...secretAttacks]
  attackCases(wasRoot ? attacks : [], " of an ordinary user")
  if (wasRoot) autorunAttacks(" for an ordinary user")
} else {
  test("attacks of an ordinary user", { skip: noOrdinaryUser }, () => {})
}
