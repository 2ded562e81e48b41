import assert from "node:assert/strict"
import { test } from "node:test"
import { attackCases } from "./attack-cases/cases.ts"
import { ipcAttacks, setuidAttacks } from "./attack-cases/ipc.ts"
import { abstractAttack, runAttacks, socketAttacks } from "./attack-cases/sockets.ts"
import { noSandbox, sandboxPlace } from "./sandbox-fixture.ts"

const attacks = [...ipcAttacks, ...setuidAttacks, ...socketAttacks, abstractAttack]
attackCases(process.getuid?.() === 0 ? [...attacks, ...runAttacks] : attacks)

test("folders keep their setgid bit, and archives that contain it unpack", { skip: noSandbox }, async (t) => {
  const here = sandboxPlace(t)
  const ran = await here.inside(
    "mkdir -m 2755 d && touch d/f && tar cf a.tar d && mkdir o && tar xpf a.tar -C o && stat -c %a o/d",
  )
  assert.deepEqual([ran.code, ran.out], [0, "2755\n"], ran.out)
})
