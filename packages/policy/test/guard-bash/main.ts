import { seedOptions } from "@gong/testing/seeds"
import { createRng } from "@gong/testing/sim/rng"
import { destructiveEffect } from "../../src/guard.ts"
import { deletingScript } from "./grammar.ts"
import { bashWorld } from "./world.ts"

/**
 * `npm run fuzz:guard -- [--from SEED] [--count N | --failed]`: one script for each seed, run by a bash whose rm deletes
 * nothing; status 1 if the guard allowed a command that reached a protected folder.
 */
function main(): number {
  const { seeds } = seedOptions({ name: "fuzz:guard", count: 5000 })
  const world = bashWorld()
  let [reached, missed, refused] = [0, 0, 0]
  try {
    for (const seed of seeds) {
      const script = deletingScript(createRng(seed))
      const deletedFolder = world.deletedFolder(script)
      const effect = destructiveEffect(script, world.start)
      if (deletedFolder === null && effect !== null) refused++
      if (deletedFolder === null) continue
      reached++
      if (effect !== null) continue
      missed++
      console.log(`MISSED ${JSON.stringify(script)}\n       ${deletedFolder}`)
      console.log(`again: npm run fuzz:guard -- --from ${seed} --count 1`)
    }
  } finally {
    world.remove()
  }
  console.log(
    `${seeds.length} scripts, ${reached} reached a protected folder, ${missed} of them missed; ${refused} others refused`,
  )
  return missed === 0 ? 0 : 1
}

process.exitCode = main()
