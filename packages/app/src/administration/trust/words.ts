import { printableLine } from "@gong/texts/printable"
import { named } from "@gong/config/trust/decide"
import type { TrustPlace } from "./place.ts"
import type { Shown } from "./show.ts"
import type { Translate } from "@gong/texts/translator"

/** How a folder stands, in one line for people. */
export function standing(t: Translate, { surface, state, changed, decided }: TrustPlace): string {
  const root = printableLine(surface.root)
  if (surface.tooLarge) return t`${root} brings too many files that can act to be judged; none of them acts.`
  switch (state) {
    case "nothing":
      return t`${root} brings nothing that acts.`
    case "undecided":
      return surface.count === 1
        ? t`${root} brings ${surface.summary}, which does not act: nobody has said whether it is trusted.`
        : t`${root} brings ${surface.summary}, which do not act: nobody has said whether it is trusted.`
    case "trusted":
      return surface.count === 1
        ? t`${root} is trusted: ${surface.summary} acts.`
        : t`${root} is trusted: ${surface.summary} act.`
    case "changed":
      return t`${root} was trusted, and ${printableLine(named(t, changed))} changed since: nothing of it acts.`
    case "refused":
      return decided?.trusted
        ? t`${root} was trusted, and you said no to what changed since (${printableLine(named(t, changed))}): nothing of it acts.`
        : t`${root} is not trusted: nothing that it brings acts.`
  }
}

/** What is asked when a conversation begins. */
export function questionOf(t: Translate, { surface, state, changed }: TrustPlace, files: readonly Shown[]): string {
  if (state !== "changed") return t`This folder brings ${surface.summary}: ${listed(t, [...surface.files.keys()])}.`
  const counts = files.map((file) => file.changed)
  const lines = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const count = counts.includes(null) ? "" : lines === 1 ? t` (1 line)` : t` (${lines} lines)`
  const names = printableLine(named(t, changed))
  return changed.length === 1
    ? t`${names} changed since you trusted it${count}.`
    : t`${names} changed since you trusted them${count}.`
}

/** Names in one line; the rest is seen with `v`. */
const maxNames = 8

function listed(t: Translate, paths: readonly string[]): string {
  const more = paths.length - maxNames
  const names = paths.slice(0, maxNames).map(printableLine)
  return [...names, ...(more > 0 ? [t`${more} more`] : [])].join(", ")
}
