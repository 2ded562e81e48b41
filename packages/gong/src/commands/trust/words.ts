import { printableLine } from "../../terminal/sink.ts"
import { named } from "../../trust/decide.ts"
import type { TrustPlace } from "./place.ts"
import type { Shown } from "./show.ts"

/** How a folder stands, in one line for people. */
export function standing({ surface, state, changed, decided }: TrustPlace): string {
  const root = printableLine(surface.root)
  if (surface.tooLarge) return `${root} brings too many files that can act to be judged; none of them acts.`
  switch (state) {
    case "nothing":
      return `${root} brings nothing that acts.`
    case "undecided":
      return `${root} brings ${surface.summary}, which ${surface.count === 1 ? "does" : "do"} not act: nobody has said whether it is trusted.`
    case "trusted":
      return `${root} is trusted: ${surface.summary} ${surface.count === 1 ? "acts" : "act"}.`
    case "changed":
      return `${root} was trusted, and ${printableLine(named(changed))} changed since: nothing of it acts.`
    case "refused":
      return decided?.trusted
        ? `${root} was trusted, and you said no to what changed since (${printableLine(named(changed))}): nothing of it acts.`
        : `${root} is not trusted: nothing that it brings acts.`
  }
}

/** What is asked when a conversation begins. */
export function questionOf({ surface, state, changed }: TrustPlace, files: readonly Shown[]): string {
  if (state !== "changed") return `This folder brings ${surface.summary}: ${listed([...surface.files.keys()])}.`
  const counts = files.map((file) => file.changed)
  const lines = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const count = counts.includes(null) ? "" : ` (${lines} ${lines === 1 ? "line" : "lines"})`
  return `${printableLine(named(changed))} changed since you trusted ${changed.length === 1 ? "it" : "them"}${count}.`
}

/** Names in one line; the rest is seen with `v`. */
const maxNames = 8

function listed(paths: readonly string[]): string {
  const more = paths.length - maxNames
  const names = paths.slice(0, maxNames).map(printableLine)
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ")
}
