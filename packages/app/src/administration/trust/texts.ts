import { printableLine } from "@gong/texts/printable"
import { namesText } from "@gong/config/trust/decide"
import type { FolderTrust } from "./folder-trust.ts"
import type { ShownFile } from "./show.ts"
import type { Translate } from "@gong/texts/translator"

/** The state of a folder in one line, for the user. */
export function trustSummary(t: Translate, { content, state, changed, decided }: FolderTrust): string {
  const root = printableLine(content.root)
  if (content.tooLarge) return t`${root} has too much active content to check; none of it is loaded.`
  switch (state) {
    case "nothing":
      return t`${root} has no active content.`
    case "undecided":
      return content.count === 1
        ? t`${root} contains ${content.summary}, which is not loaded: there is no trust decision yet.`
        : t`${root} contains ${content.summary}, which are not loaded: there is no trust decision yet.`
    case "trusted":
      return content.count === 1
        ? t`${root} is trusted: ${content.summary} is loaded.`
        : t`${root} is trusted: ${content.summary} are loaded.`
    case "changed":
      return t`${root} was trusted, but ${printableLine(namesText(t, changed))} changed since then: its active content is not loaded.`
    case "refused":
      return decided?.trusted
        ? t`${root} was trusted, but you refused later changes (${printableLine(namesText(t, changed))}): its active content is not loaded.`
        : t`${root} is not trusted: its active content is not loaded.`
  }
}

/** The question at the start of a conversation. */
export function trustQuestion(
  t: Translate,
  { content, state, changed }: FolderTrust,
  files: readonly ShownFile[],
): string {
  if (state !== "changed") return t`This folder contains ${content.summary}: ${listed(t, [...content.files.keys()])}.`
  const counts = files.map((file) => file.changed)
  const lines = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const count = counts.includes(null) ? "" : lines === 1 ? t` (1 line)` : t` (${lines} lines)`
  const names = printableLine(namesText(t, changed))
  return changed.length === 1
    ? t`${names} changed since you trusted it${count}.`
    : t`${names} changed since you trusted them${count}.`
}

/** Names in one line; `v` shows all. */
const maxNames = 8

function listed(t: Translate, paths: readonly string[]): string {
  const more = paths.length - maxNames
  const names = paths.slice(0, maxNames).map(printableLine)
  return [...names, ...(more > 0 ? [t`${more} more`] : [])].join(", ")
}
