import assert from "node:assert/strict"
import { test } from "node:test"
import { type AppendEntry, createTape, type Tape } from "@gong/tape"
import { createStore } from "@gong/tape/file"
import { everything } from "./checks.ts"
import { openTape, sessions, storePorts } from "./open.ts"
import { planOf } from "./plan.ts"
import { cutPower } from "./power.ts"
import { Violation } from "./violation.ts"
import { simWorld, type SimWorld } from "./world.ts"

const nothingLeft = { torn: 0 }
const input: AppendEntry = { type: "input", kind: "prompt", source: "user", text: "go" }

/** A world without planned events, in which a power cut loses all unsynced data. */
function quietWorld(): SimWorld {
  const plan = planOf(1)
  return simWorld({ ...plan, crashes: [], slowestSync: null, model: { ...plan.model, chance: () => false } })
}

/** A process creates a session and is killed before it checks for lost entries. */
function makeAndDie(world: SimWorld): void {
  const one = world.spawn("here")
  const ports = storePorts(world, one)
  createTape(createStore(ports, { sessions, cwd: "/work", workspace: "/work" }), ports)
  one.kill()
}

/** The next process opens the session, checks for lost entries, does its `work`, and is killed. */
async function openAndDie(world: SimWorld, work: (tape: Tape) => void = () => undefined): Promise<void> {
  const one = world.spawn("here")
  world.process = one
  const { tape } = await openTape(world, one)
  work(tape)
  one.kill()
}

test("unsynced entries of a process that was killed before its check after a power cut do not count as durable", async () => {
  const world = quietWorld()
  cutPower(world, nothingLeft)
  makeAndDie(world)
  await openAndDie(world)
  cutPower(world, nothingLeft)
  await openAndDie(world)
})

test("entries that survived a power cut count as durable: a later loss is found", async () => {
  const world = quietWorld()
  await openAndDie(world, (tape) => tape.append([input], { sync: true }))
  cutPower(world, nothingLeft)
  world.disk.rename(sessions, "/gone")
  await assert.rejects(openAndDie(world), (error) => error instanceof Violation && /this was lost/.test(error.message))
})

test("the loss of a durable entry by a power cut is found at once", async () => {
  const world = quietWorld()
  await openAndDie(world, (tape) => {
    tape.append([input], { sync: false })
    world.journal.published(everything(tape), { written: true, settled: true, synced: true })
  })
  assert.throws(() => cutPower(world, nothingLeft), Violation)
})
