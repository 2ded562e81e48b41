import { ok, type Outcome } from "../../config/usage.ts"
import { table } from "../../terminal/table.ts"
import type { Answer, Asked } from "./answer.ts"
import { charged, unreadLine, unreadOf } from "./list.ts"
import { say } from "../../texts/say.ts"

const readingTime = 10_000

/** `gong sessions stats`: sums over all sessions of this home. */
export function sessionStats({ place, index }: Asked): Outcome<Answer> {
  const unread = unreadOf(place.home, index.catchUp(readingTime).behind)
  const stats = index.stats()
  const sums = table([
    line(say`sessions`, `${stats.sessions}`),
    line(say`workspaces`, `${stats.workspaces}`),
    line(say`messages of yours`, `${stats.prompts}`),
    line(say`turns`, `${stats.replies}`),
    line(say`tool calls`, `${stats.calls}`),
    line(say`steps`, `${stats.entries}`),
    line(say`size`, megabytes(stats.bytes)),
    line(say`cost`, charged(stats)),
    ...(stats.damaged > 0 ? [line(say`damaged lines`, `${stats.damaged}`)] : []),
  ])
  const models = table(
    stats.models.map((one) => [
      { text: one.model ?? say`no model yet` },
      { text: `${one.sessions}`, right: true as const },
      { text: charged(one), right: true as const },
    ]),
  )
  const text = [...sums, ...(models.length > 0 ? ["", say`By the model used last: sessions, cost`, ...models] : [])]
  return ok({ text: `${[...text, ...unreadLine(unread)].join("\n")}\n`, json: { ...stats, unread } })
}

/** `gong sessions rebuild`: makes the index anew from the sessions. */
export function rebuildIndex({ index, place }: Asked): Outcome<Answer> {
  const before = place.clock.now()
  const { bytes, damage } = index.rebuild()
  const milliseconds = place.clock.now() - before
  const { sessions } = index.stats()
  const seconds = (milliseconds / 1000).toFixed(1)
  const lines = [
    say`Read ${sessions} session${sessions === 1 ? "" : "s"} (${megabytes(bytes)}) in ${seconds} s.`,
    ...damage.slice(0, 5).map(({ file, offset, reason }) => say`skipped: ${file} at byte ${offset}, ${reason}`),
    ...(damage.length > 5 ? [say`... and ${damage.length - 5} more damaged lines`] : []),
    ...(index.inMemory ? [say`${place.home} cannot be written: the index is gone with this command.`] : []),
  ]
  return ok({
    text: `${table(lines.map((text) => [{ text }])).join("\n")}\n`,
    json: { sessions, bytes, milliseconds, damage, kept: !index.inMemory },
  })
}

function line(name: string, value: string) {
  return [{ text: name }, { text: value, right: true as const }]
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
