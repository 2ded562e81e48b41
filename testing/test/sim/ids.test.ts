import assert from "node:assert/strict"
import { test } from "node:test"
import { seededIds } from "../../src/sim/ids.ts"
import { createRng } from "../../src/sim/rng.ts"

test("a seed gives the same sequence, another seed another one", () => {
  const draw = (seed: number) => {
    const ids = seededIds(seed, () => Date.UTC(2026, 0, 1))
    return [ids.entry(), ids.entry(), ids.tape()]
  }
  assert.deepEqual(draw(1), draw(1))
  assert.notDeepEqual(draw(1), draw(2))
})

test("ids have the format of the port", () => {
  const ids = seededIds(7, () => Date.UTC(2026, 0, 1))
  for (let i = 0; i < 100; i++) {
    assert.match(ids.entry(), /^[0-9a-hjkmnp-tv-z]{12}$/)
    assert.match(ids.tape(), /^019b[0-9a-f]{4}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test("random numbers cover their range and stay in it", () => {
  const rng = createRng(3)
  const seen = new Set(Array.from({ length: 200 }, () => rng.int(6)))
  assert.deepEqual(
    [...seen].sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5],
  )
  const hits = Array.from({ length: 1000 }, () => rng.chance(0.25)).filter(Boolean).length
  assert.ok(hits > 200 && hits < 300, `${hits} of 1000`)
  assert.ok(["a", "b"].includes(rng.pick(["a", "b"])))
})
