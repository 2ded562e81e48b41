import type { Options } from "../config/flags.ts"
import { attempt, must, type Outcome } from "../config/usage.ts"
import { systemClock, systemIds } from "../ports.ts"
import type { World } from "../world.ts"
import { readConfig } from "./config.ts"
import { tellPassedOver } from "./passed-over.ts"
import type { TapePlace } from "./tape.ts"

/** Where sessions are, for the commands that look at them. */
export async function tapePlace(world: World, options: Options): Promise<Outcome<TapePlace>> {
  return attempt(async () => {
    const { home, workspace } = must(await readConfig(world, options))
    return {
      home,
      workspace,
      temp: world.temp,
      clock: systemClock,
      ids: systemIds(systemClock),
      passedOver: tellPassedOver(world),
    }
  })
}
