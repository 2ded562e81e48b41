import type { UnreadableSession } from "@gong/spec"
import type { Services } from "../../services.ts"
import type { Translate } from "@gong/texts/translator"

/** Receives the unreadable sessions of a listing: one of them must not make the others inaccessible. */
export type ReportUnreadable = (sessions: readonly UnreadableSession[]) => void

/** Reports each unreadable session once on stderr. */
export function unreadableReporter(services: Services): ReportUnreadable {
  const reported = new Set<string>()
  return (sessions) => {
    const added = sessions.filter(({ path }) => !reported.has(path))
    for (const { path } of added) reported.add(path)
    const line = unreadableLine(services.t, added)
    if (line !== null) services.warn(line)
  }
}

/** One whole line for all of them; null for none. */
export function unreadableLine(t: Translate, [first, ...more]: readonly UnreadableSession[]): string | null {
  if (first === undefined) return null
  const { path, code } = first
  return more.length === 0
    ? t`gong: ${path} cannot be read (${code}); it is skipped. Change its owner (chown), or move it away.`
    : t`gong: ${path} and ${more.length} more cannot be read (${code}); they are skipped. Change their owner (chown), or move them away.`
}
