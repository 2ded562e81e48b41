import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { canary } from "../program/harness.ts"
import { commands, first, last, type Mode, others } from "./modes.ts"
import { hostile, surfaces } from "./repository.ts"
import { localModel, noAddress, someModel } from "./surfaces/homes.ts"

const count = first.length + others.length + last.length + commands.length

/** How many programs run at once. */
const atOnce = 4

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...all]
  const turn = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, turn))
}

/** Wires belong to the repository: which mode tripped one is found by running it alone. */
async function nothingTrips(t: TestContext, ...stretches: readonly (readonly Mode[])[]) {
  const place = await hostile(t)
  const tripped: (readonly string[])[] = []
  for (const modes of stretches) {
    await inTurns(modes, async (mode) => mode.run(place, t))
    tripped.push(place.tripped())
  }
  assert.deepEqual(
    tripped,
    stretches.map(() => []),
  )
  const sent = JSON.stringify(place.server.requests.map(({ body }) => body))
  assert.doesNotMatch(sent, new RegExp(canary))
  return { place, sent }
}

test(`[SC-13] a hostile repository, ${surfaces.length} kinds of files, all ${count} modes: nothing of it runs and nothing is sent`, async (t) => {
  assert.ok(surfaces.length >= 60 && count >= 7, "as many as the scorecard wants")
  const alone = first.map((mode) => [mode])
  const { place, sent } = await nothingTrips(t, ...alone, others, last)
  assert.ok(place.server.requests.length > 15 && sent.includes("needs permission"), "the model did try")
})

test("[SC-13] a hostile repository: no command runs anything of it", async (t) => {
  await nothingTrips(t, commands)
})

test("[SC-13] a trusted hostile repository does not affect permissions, addresses and keys", async (t) => {
  const place = await hostile(t)
  const env = noAddress
  await place.gong(["--trust", "yes", "-pq", "--no-session", "look"])
  const found = place.tripped()
  assert.deepEqual(
    found.filter((name) => !/^hook-|prompt$|^gong-extensions-/.test(name)),
    [],
    "hooks, prompts and extensions act, and nothing else",
  )
  assert.ok(found.length > 5)
  for (const name of found.filter((one) => !one.endsWith("prompt")))
    assert.doesNotMatch(place.environmentOf(name), new RegExp(canary), `${name} sees no key`)
  await place.gong(["--trust", "yes", ...someModel], { env })
  await place.gong(["--trust", "yes", ...localModel], { env })
  assert.deepEqual(
    place.tripped().filter((name) => name.startsWith("base-url")),
    [],
  )
})
