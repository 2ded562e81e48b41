import { decideHere } from "../../build/trust.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, must } from "../../config/usage.ts"
import type { Operations } from "../../slash/command.ts"
import type { World } from "../../world.ts"
import { forget, remember, type TrustPlace, trustPlace } from "../trust/place.ts"
import { shownFiles, textOfShown } from "../trust/show.ts"
import { standing } from "../trust/words.ts"

/** What is said yes to is the folder as it was shown, whatever it has become since. */
export function trustOperations(world: World, options: Options): Pick<Operations, "trust" | "setTrust"> {
  let shown: TrustPlace | null = null
  return {
    trust: () =>
      attempt(async () => {
        const place = must(trustPlace(world, options))
        shown = place
        const { surface, state, home } = place
        const acts =
          options.bare !== true && decideHere(world, options, home, { folder: surface.root }).trusted !== null
        const isOpen = state !== "trusted" && state !== "nothing" && !surface.tooLarge
        return {
          root: surface.root,
          summary: surface.summary,
          files: [...surface.files.keys()],
          trusted: acts,
          standing: standing(world.t, place),
          open: isOpen ? textOfShown(world.t, shownFiles(world.t, place)) : [],
        }
      }),
    setTrust: (answer) =>
      attempt(async () => {
        const place = shown ?? must(trustPlace(world, options))
        if (answer === "forget") must(forget(world.t, place.home, place.surface.root))
        else must(remember(world.t, place, answer))
        return null
      }),
  }
}
