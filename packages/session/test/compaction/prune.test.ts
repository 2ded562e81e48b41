import assert from "node:assert/strict"
import { test } from "node:test"
import type { Message } from "@gong/spec"
import { context } from "@gong/tape"
import { planFallback, planPrune } from "../../src/compaction/prune.ts"
import { place, start } from "../world.ts"
import { reply, result, user, words } from "./messages.ts"

const call = (id: string) => reply("", [{ id, name: "read" }])

/** Results of 1,000 tokens each, the third of them behind a message of the user. */
const talk: readonly Message[] = [
  user("go"),
  call("c1"),
  result("c1", words(1000)),
  call("c2"),
  result("c2", words(1000)),
  user("more"),
  call("c3"),
  result("c3", words(1000)),
]

async function contextOf(messages: readonly Message[]) {
  const { tape } = await start(place())
  const entries = tape.append(
    messages.map((message) => ({ type: "message", message })),
    { sync: false },
  )
  return { given: tape.follow(context).value, ids: entries.map(({ id }) => id) }
}

/** 400 characters, the note with 110, and two line ends are 128 tokens; 2,000 are 528. */
const saved = 1000 - 128
const savedInFallback = 1000 - 528

test("results before the newest ones are shortened to 400 characters: twice what is kept, or a third of the limit", async () => {
  const { given, ids } = await contextOf(talk)
  const upTo = (keep: number, limit: number) => planPrune(given, 3000, { keep, limit }, [])?.upTo
  const at = (id: string | null | undefined) => (id === undefined || id === null ? id : ids.indexOf(id))
  for (const [keep, limit, last] of [
    [499, 100_000, 6],
    [500, 100_000, 5],
    [10, 100_000, 6],
    [5_000, 100_000, undefined],
    [900, 2_994, 6],
    [900, 3_000, 5],
  ] as const)
    assert.equal(at(upTo(keep, limit)), last, `${keep} ${limit}`)
  assert.deepEqual(planPrune(given, 3000, { keep: 499, limit: 100_000 }, []), {
    type: "prune",
    upTo: ids[6],
    chars: 400,
    tokensBefore: 3000,
    tokensAfter: 3000 - 2 * saved,
  })
})

test("a prune that does not bring the context below the limit by what is kept is none", async () => {
  const { given } = await contextOf(talk)
  const planned = (limit: number) => planPrune(given, 3000, { keep: 400, limit }, []) !== null
  const after = 3000 - 2 * saved
  assert.deepEqual([planned(after + 400), planned(after + 399)], [true, false])
  assert.equal(planPrune(given, 100, { keep: 400, limit: 10_000 }, [])?.tokensAfter, 0)
  const { given: short } = await contextOf([user("go"), call("c1"), result("c1", "x"), ...talk.slice(5)])
  assert.equal(planPrune(short, 3000, { keep: 400, limit: 10_000 }, []), null)
})

test("a skill in use stays whole, one that is over becomes its line if that is shorter", async () => {
  const { given, ids } = await contextOf(talk)
  const line = "[no longer in use]"
  const budget = { keep: 499, limit: 100_000 }
  const used = planPrune(given, 3000, budget, [{ at: 2, over: false, line }])
  assert.deepEqual(used?.whole, [ids[2]])
  assert.equal(used?.tokensAfter, 3000 - saved)
  assert.equal("skills" in (used ?? {}), false)
  const over = planPrune(given, 3000, budget, [
    { at: 2, over: true, line },
    { at: 7, over: true, line },
  ])
  // The line has six tokens.
  assert.deepEqual(over, {
    type: "prune",
    upTo: ids[6],
    chars: 400,
    skills: [
      { id: ids[2], line },
      { id: ids[7], line },
    ],
    tokensBefore: 3000,
    tokensAfter: 3000 - saved - 2 * 994,
  })
  const longer = planPrune(given, 3000, budget, [{ at: 2, over: true, line: words(1000) }])
  assert.equal(longer?.tokensAfter, 3000 - 2 * saved)
  assert.equal("skills" in (longer ?? {}), false)
})

test("without a summary results before the newest tokens have 2,000 characters, in the end all, skills in use too", async () => {
  const { given, ids } = await contextOf(talk)
  const use = { at: 2, over: false, line: "x" }
  assert.deepEqual(planFallback(given, 3000, 999, []), {
    type: "prune",
    upTo: ids[6],
    chars: 2000,
    tokensBefore: 3000,
    tokensAfter: 3000 - 2 * savedInFallback,
  })
  assert.equal(planFallback(given, 3000, 1000, [])?.upTo, ids[5])
  assert.deepEqual(planFallback(given, 3000, 999, [use])?.whole, [ids[2]])
  assert.deepEqual(planFallback(given, 3000, 0, [use]), {
    type: "prune",
    upTo: ids[7],
    chars: 2000,
    tokensBefore: 3000,
    tokensAfter: 3000 - 3 * savedInFallback,
  })
  assert.equal(planFallback(given, 3000, 100_000, []), null)
})
