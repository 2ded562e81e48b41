import { printableLine } from "../../terminal/sink.ts"
import { named } from "../../trust/decide.ts"
import type { TrustPlace } from "./place.ts"
import type { Shown } from "./show.ts"
import { say } from "../../texts/say.ts"

/** How a folder stands, in one line for people. */
export function standing({ surface, state, changed, decided }: TrustPlace): string {
  const root = printableLine(surface.root)
  if (surface.tooLarge) return say`${root} brings too many files that can act to be judged; none of them acts.`
  switch (state) {
    case "nothing":
      return say`${root} brings nothing that acts.`
    case "undecided":
      return surface.count === 1
        ? say`${root} brings ${surface.summary}, which does not act: nobody has said whether it is trusted.`
        : say`${root} brings ${surface.summary}, which do not act: nobody has said whether it is trusted.`
    case "trusted":
      return surface.count === 1
        ? say`${root} is trusted: ${surface.summary} acts.`
        : say`${root} is trusted: ${surface.summary} act.`
    case "changed":
      return say`${root} was trusted, and ${printableLine(named(changed))} changed since: nothing of it acts.`
    case "refused":
      return decided?.trusted
        ? say`${root} was trusted, and you said no to what changed since (${printableLine(named(changed))}): nothing of it acts.`
        : say`${root} is not trusted: nothing that it brings acts.`
  }
}

/** What is asked when a conversation begins. */
export function questionOf({ surface, state, changed }: TrustPlace, files: readonly Shown[]): string {
  if (state !== "changed") return say`This folder brings ${surface.summary}: ${listed([...surface.files.keys()])}.`
  const counts = files.map((file) => file.changed)
  const lines = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const count = counts.includes(null) ? "" : lines === 1 ? say` (1 line)` : say` (${lines} lines)`
  const names = printableLine(named(changed))
  return changed.length === 1
    ? say`${names} changed since you trusted it${count}.`
    : say`${names} changed since you trusted them${count}.`
}

/** Names in one line; the rest is seen with `v`. */
const maxNames = 8

function listed(paths: readonly string[]): string {
  const more = paths.length - maxNames
  const names = paths.slice(0, maxNames).map(printableLine)
  return [...names, ...(more > 0 ? [say`${more} more`] : [])].join(", ")
}
