import { ok, type Outcome } from "@gong/config/usage"
import { table } from "@gong/texts/table"
import type { Answer, Asked } from "./answer.ts"
import { charged } from "@gong/texts/listed-session"
import { unreadLine } from "./list.ts"
import type { Translate } from "@gong/texts/translator"

const readingTime = 10_000

/** `gong sessions stats`: sums over all sessions of this home. */
export async function sessionStats(t: Translate, { place }: Asked): Promise<Outcome<Answer>> {
  const { unreadable, ...stats } = await place.sessions.stats({ milliseconds: readingTime })
  place.reportUnreadable(unreadable)
  const sums = table([
    line(t`sessions`, `${stats.sessions}`),
    line(t`workspaces`, `${stats.workspaces}`),
    line(t`messages of yours`, `${stats.prompts}`),
    line(t`turns`, `${stats.replies}`),
    line(t`tool calls`, `${stats.calls}`),
    line(t`steps`, `${stats.entries}`),
    line(t`size`, megabytes(stats.bytes)),
    line(t`cost`, charged(stats)),
    ...(stats.damaged > 0 ? [line(t`damaged lines`, `${stats.damaged}`)] : []),
  ])
  const models = table(
    stats.models.map((one) => [
      { text: one.model ?? t`no model yet` },
      { text: `${one.sessions}`, right: true as const },
      { text: charged(one), right: true as const },
    ]),
  )
  const text = [...sums, ...(models.length > 0 ? ["", t`By the model used last: sessions, cost`, ...models] : [])]
  return ok({ text: `${[...text, ...unreadLine(t, stats.unread)].join("\n")}\n`, json: stats })
}

/** `gong sessions rebuild`: makes the index anew from the sessions. */
export async function rebuildIndex(t: Translate, { place }: Asked): Promise<Outcome<Answer>> {
  const before = place.clock.now()
  const { sessions, bytes, damage, kept, unreadable } = await place.sessions.rebuild()
  const milliseconds = place.clock.now() - before
  place.reportUnreadable(unreadable)
  const seconds = (milliseconds / 1000).toFixed(1)
  const lines = [
    t`Read ${sessions} session${sessions === 1 ? "" : "s"} (${megabytes(bytes)}) in ${seconds} s.`,
    ...damage.slice(0, 5).map(({ file, offset, reason }) => t`skipped: ${file} at byte ${offset}, ${reason}`),
    ...(damage.length > 5 ? [t`... and ${damage.length - 5} more damaged lines`] : []),
    ...(!kept ? [t`${place.home} cannot be written: the index is gone with this command.`] : []),
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
