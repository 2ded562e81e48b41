import { test } from "node:test"
import { becomeOrdinaryUser, noOrdinaryUser } from "@gong/testing/ordinary-user"

// Runs in its own process: if started as root it permanently becomes an ordinary user, before the attacks are loaded.
const wasRoot = process.geteuid?.() === 0

if (noOrdinaryUser === false) {
  becomeOrdinaryUser()
  const { attackCases } = await import("./attack-cases/cases.ts")
  const { ipcAttacks, setuidAttacks } = await import("./attack-cases/ipc.ts")
  const { secretAttacks } = await import("./attack-cases/secrets.ts")
  const { abstractAttack, socketAttacks } = await import("./attack-cases/sockets.ts")
  const { autorunAttacks } = await import("./attack-cases/autorun.ts")

  // An ordinary user has already run them.
  const attacks = [...ipcAttacks, ...setuidAttacks, ...socketAttacks, abstractAttack, ...secretAttacks]
  attackCases(wasRoot ? attacks : [], " of an ordinary user")
  if (wasRoot) autorunAttacks(" for an ordinary user")
} else {
  test("attacks as an ordinary user", { skip: noOrdinaryUser }, () => {})
}
