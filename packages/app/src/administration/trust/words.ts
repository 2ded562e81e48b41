import { printableLine } from "@gong/texts/printable"
import { namesText } from "@gong/config/trust/decide"
import type { TrustPlace } from "./place.ts"
import type { Shown } from "./show.ts"
import type { Translate } from "@gong/texts/translator"

/** How a folder stands, in one line for people. */
export function trustSummary(t: Translate, { surface, state, changed, decided }: TrustPlace): string {
  const root = printableLine(surface.root)
  if (surface.tooLarge) return t`${root} has too much active content to check; none of it is loaded.`
  switch (state) {
    case "nothing":
      return t`${root} has no active content.`
    case "undecided":
      return surface.count === 1
        ? t`${root} contains ${surface.summary}, which is not loaded: there is no trust decision yet.`
        : t`${root} contains ${surface.summary}, which are not loaded: there is no trust decision yet.`
    case "trusted":
      return surface.count === 1
        ? t`${root} is trusted: ${surface.summary} is loaded.`
        : t`${root} is trusted: ${surface.summary} are loaded.`
    case "changed":
      return t`${root} was trusted, but ${printableLine(namesText(t, changed))} changed since then: its active content is not loaded.`
    case "refused":
      return decided?.trusted
        ? t`${root} was trusted, but you refused later changes (${printableLine(namesText(t, changed))}): its active content is not loaded.`
        : t`${root} is not trusted: its active content is not loaded.`
  }
}

/** What is asked when a conversation begins. */
export function questionOf(t: Translate, { surface, state, changed }: TrustPlace, files: readonly Shown[]): string {
  if (state !== "changed") return t`This folder contains ${surface.summary}: ${listed(t, [...surface.files.keys()])}.`
  const counts = files.map((file) => file.changed)
  const lines = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const count = counts.includes(null) ? "" : lines === 1 ? t` (1 line)` : t` (${lines} lines)`
  const names = printableLine(namesText(t, changed))
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
