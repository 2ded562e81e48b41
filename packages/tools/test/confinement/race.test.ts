import assert from "node:assert/strict"
import { test } from "node:test"
import { createLocalHost } from "../../src/host/local.ts"
import { fenced } from "./place.ts"
import { race } from "./race.ts"

test("[SAFE-21] while a folder is exchanged for a link to outside again and again, no write lands there", async (t) => {
  const here = fenced(t)
  const { escaped, done, swaps } = await race(
    here,
    Array.from({ length: 300 }, (_, round) => round),
    createLocalHost({ cwd: here.work }),
  )
  assert.equal(escaped, 0)
  assert.ok(done > 0 && swaps > 0, "neither side was shut out")
})
