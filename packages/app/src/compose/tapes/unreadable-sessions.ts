import type { UnreadableSession } from "@gong/spec"
import type { Services } from "../../services.ts"
import type { Translate } from "@gong/texts/translator"

/** Is told of what a look over many sessions has passed over: one of them must not lock its owner out of the others. */
export type ReportUnreadable = (all: readonly UnreadableSession[]) => void

/** Says on stderr which session folders cannot be read: once, however often a command looks over all of them. */
export function unreadableReporter(services: Services): ReportUnreadable {
  const said = new Set<string>()
  return (all) => {
    const fresh = all.filter(({ path }) => !said.has(path))
    for (const { path } of fresh) said.add(path)
    const line = unreadableLine(services.t, fresh)
    if (line !== null) services.warn(line)
  }
}

/** One whole line about them, null where there are none. */
export function unreadableLine(t: Translate, [first, ...more]: readonly UnreadableSession[]): string | null {
  if (first === undefined) return null
  const { path, code } = first
  return more.length === 0
    ? t`gong: ${path} cannot be read (${code}); it is skipped. Change its owner (chown), or move it away.`
    : t`gong: ${path} and ${more.length} more cannot be read (${code}); they are skipped. Change their owner (chown), or move them away.`
}
