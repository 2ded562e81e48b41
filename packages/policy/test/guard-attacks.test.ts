import assert from "node:assert/strict"
import { test } from "node:test"
import { createRng } from "@gong/testing/sim/rng"
import { destructiveEffect } from "../src/guard.ts"
import { deletingScript } from "./guard-bash/grammar.ts"
import { bashWorld } from "./guard-bash/world.ts"

/** Scripts that really reach one, which bash shows by running them with an `rm` that deletes nothing. */
const least = 31

test(
  `whatever bash makes of a script: where its rm -r reaches a precious folder the guard has said no (${least} attacks with controls)`,
  { skip: process.platform === "win32" },
  (t) => {
    const world = bashWorld()
    t.after(world.remove)

    let reached = 0
    for (let at = 0; at < 150; at++) {
      const script = deletingScript(createRng(at))
      const lost = world.deletedFolder(script)
      if (lost === null) continue
      reached++
      assert.notEqual(destructiveEffect(script, world.start), null, `${lost} by ${JSON.stringify(script)}`)
    }
    assert.ok(reached >= least, `only ${reached} scripts reached a precious folder`)
  },
)
