import assert from "node:assert/strict"
import { test } from "node:test"
import { tryOne } from "./try.ts"

const SEEDS = 150

test("files in eight encodings keep all other bytes, and the before-image", async () => {
  const applied = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violation, kind, encoding } = await tryOne(seed)
    assert.equal(violation, null, `npm run fuzz:edit -- --from ${seed} --count 1`)
    if (kind === "applied") applied.add(encoding)
  }
  assert.equal(applied.size, 8)
})
