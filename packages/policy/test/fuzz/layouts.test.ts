import assert from "node:assert/strict"
import { test } from "node:test"
import { type Asking, fuzzLayout } from "./layouts.ts"

const seeds = Array.from({ length: 8 }, (_, at) => at + 1)

test("[SAFE-5] seeded repositories with every form of .git: git reads are allowed in some and run no program of any", async () => {
  let free = 0
  for (const seed of seeds) {
    const run = await fuzzLayout(seed)
    assert.deepEqual(run.leaks, [], `seed ${seed}`)
    free += run.free
  }
  assert.ok(free > seeds.length, `${free}`)
})

const planted: Readonly<Record<string, Asking>> = {
  "everything is let pass": async (fixture, command, cwd) => {
    fixture.plain(command, cwd)
    return { verdict: "allow" }
  },
  "the variables that were judged do not reach the command": async (fixture, command, cwd) =>
    fixture.ask(command, cwd, () => ({})),
}

for (const [name, ask] of Object.entries(planted))
  test(`a planted fault is found by the fuzzer of repository layouts: ${name}`, async () => {
    let leaks = 0
    for (const seed of seeds) leaks += (await fuzzLayout(seed, ask)).leaks.length
    assert.ok(leaks > 0)
  })
