import assert from "node:assert/strict"
import { suite, test } from "node:test"
import { type Attack, guarded } from "./run-attack.ts"

// What a hostile server sends does not reach the model or the user. `npm run test:mcp -- hostile` also runs each attack without
// the guard, and measures time and memory.
const { attacks }: { attacks: Readonly<Record<string, Attack>> } = await import(
  new URL("attacks.mjs", import.meta.url).href
)

await suite("attacks of a hostile server", { concurrency: 4 }, () => {
  for (const [name, attack] of Object.entries(attacks))
    test(name, async () => {
      const { view } = await guarded(name, attack)
      assert.ok(!attack.through(view))
    })
})
