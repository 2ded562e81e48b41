import { ok, type Outcome } from "@gong/config/usage"
import { table } from "@gong/texts/table"
import type { CommandOutput, CommandContext } from "./output.ts"
import { costText } from "@gong/texts/listed-session"
import { unreadLine } from "./list.ts"
import type { Translate } from "@gong/texts/translator"

/** Milliseconds to index new sessions before the statistics. */
const indexTime = 10_000

/** `gong sessions stats`: sums over all sessions of this home. */
export async function sessionStats(t: Translate, { place }: CommandContext): Promise<Outcome<CommandOutput>> {
  const { unreadable, ...stats } = await place.sessions.stats({ milliseconds: indexTime })
  place.reportUnreadable(unreadable)
  const sums = table([
    line(t`sessions`, `${stats.sessions}`),
    line(t`workspaces`, `${stats.workspaces}`),
    line(t`your messages`, `${stats.prompts}`),
    line(t`turns`, `${stats.replies}`),
    line(t`tool calls`, `${stats.calls}`),
    line(t`steps`, `${stats.entries}`),
    line(t`size`, megabytes(stats.bytes)),
    line(t`cost`, costText(stats)),
    ...(stats.damaged > 0 ? [line(t`damaged lines`, `${stats.damaged}`)] : []),
  ])
  const models = table(
    stats.models.map((one) => [
      { text: one.model ?? t`no model yet` },
      { text: `${one.sessions}`, right: true as const },
      { text: costText(one), right: true as const },
    ]),
  )
  const text = [...sums, ...(models.length > 0 ? ["", t`By last model: sessions, cost`, ...models] : [])]
  return ok({ text: `${[...text, ...unreadLine(t, stats.unread)].join("\n")}\n`, json: stats })
}

/** `gong sessions rebuild`: rebuilds the index from the sessions. */
export async function rebuildIndex(t: Translate, { place }: CommandContext): Promise<Outcome<CommandOutput>> {
  const before = place.clock.now()
  const { sessions, bytes, damage, kept, unreadable } = await place.sessions.rebuild()
  const milliseconds = place.clock.now() - before
  place.reportUnreadable(unreadable)
  const seconds = (milliseconds / 1000).toFixed(1)
  const lines = [
    t`Read ${sessions} session${sessions === 1 ? "" : "s"} (${megabytes(bytes)}) in ${seconds} s.`,
    ...damage.slice(0, 5).map(({ file, offset, reason }) => t`skipped: ${file} at byte ${offset}, ${reason}`),
    ...(damage.length > 5 ? [t`... and ${damage.length - 5} more damaged lines`] : []),
    ...(!kept ? [t`${place.home} is not writable: the index was not stored.`] : []),
  ]
  return ok({
    text: `${table(lines.map((text) => [{ text }])).join("\n")}\n`,
    json: { sessions, bytes, milliseconds, damage, kept },
  })
}

function line(name: string, value: string) {
  return [{ text: name }, { text: value, right: true as const }]
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
