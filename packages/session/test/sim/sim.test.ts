import assert from "node:assert/strict"
import { test } from "node:test"
import type { RareState } from "./counts.ts"
import { runShare } from "./share.ts"
import { simulate } from "./simulate.ts"

const worlds = 200

/** 2,000 worlds must have seen all of them (`main.ts`); these few are enough to see the most feared. */
const feared: readonly RareState[] = [
  "retry stopped by the user",
  "retry after half a reply",
  "compaction steered",
  "compaction on a full disk",
  "crash between intent and result",
  "power cut",
  "second process reads",
  "tape lost to another process",
  "asked and stopped",
  "gate hung",
  "limit of time",
  "files undone",
  "fallback asked",
]

test(`[AGENT-F.2] ${worlds} simulated worlds: nothing promised is lost, and all that must hold holds`, async () => {
  const { failures, counts } = await runShare(Array.from({ length: worlds }, (_, index) => index + 1))
  assert.deepEqual(failures, [])
  for (const state of feared) assert.ok(counts[state] > 0, `no world reached: ${state}`)
})

test("a seed replays exactly", async () => {
  for (const seed of [7, 42, 99]) {
    const [once, again] = [await simulate(seed), await simulate(seed)]
    assert.deepEqual(again, once)
  }
})
