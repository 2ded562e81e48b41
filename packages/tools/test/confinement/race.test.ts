import assert from "node:assert/strict"
import { test } from "node:test"
import { createLocalHost } from "../../src/host/local.ts"
import { fenced } from "./place.ts"
import { race } from "./race.ts"

test("[SAFE-21] no write escapes while a folder is replaced by a link to outside again and again", async (t) => {
  const here = fenced(t)
  const { escaped, done, swaps } = await race(
    here,
    Array.from({ length: 300 }, (_, round) => round),
    createLocalHost({ cwd: here.work }),
  )
  assert.equal(escaped, 0)
  assert.ok(done > 0 && swaps > 0, "neither side was shut out")
})
