import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { Place, Surface } from "./place.ts"
import { hostile, ofGong, ofOthers, yesTo } from "./repository.ts"

/** Surfaces whose wire nothing tripped, with the guard off. */
async function deadWires(place: Place, surfaces: readonly Surface[], live: ReadonlySet<string>): Promise<string[]> {
  const rg = createRequire(import.meta.url).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`)
  const dead: string[] = []
  const imported = new Set<string>()
  for (const { name, control } of surfaces) {
    if (control === "trusted" ? live.has(name) : imported.has(name)) continue
    if (typeof control === "function") await control(place)
    else if (control !== "trusted") await place.other(control.run, { RG: rg, ...control.env })
    const found = place.tripped()
    for (const one of found) if (one.startsWith("import-")) imported.add(one)
    if (!found.includes(name)) dead.push(name)
  }
  return dead
}

/** The controls of `untrusted.proc.test.ts`, where none of them may trip. */
async function check(t: TestContext, surfaces: readonly Surface[], trusted: boolean): Promise<void> {
  const place = await hostile(t)
  let live: readonly string[] = []
  if (trusted) {
    // The effect of the repository's own decision, if it were the user's.
    const own = join(place.gongHome, "trust.json")
    writeFileSync(own, await yesTo(place))
    await place.gong(["-pq", "--no-session", "look"])
    live = place.tripped()
    writeFileSync(own, "{}")
  }
  assert.deepEqual(await deadWires(place, surfaces, new Set(live)), [])
}

test(`[SC-13] with the guard off every attack on Gong's own files works (${ofGong.length} attacks with controls)`, async (t) => {
  await check(t, ofGong, true)
})

test(`[SC-13] with the guard off every attack on files of other programs works (${ofOthers.length} attacks with controls)`, async (t) => {
  await check(t, ofOthers, false)
})
