import { phrase } from "@gong/spec"
import { removeStored, tryMove } from "@gong/app/administration/stored-sessions"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { CommandOutput, CommandContext } from "./output.ts"

/** Maximum number of sessions in the message. */
const maxListed = 10

/** `gong sessions rm ID`: moves a session to the trash, which is never emptied. */
export async function removeSession({ place, cli }: CommandContext, wanted: string): Promise<Outcome<CommandOutput>> {
  const removed = await removeStored(place, wanted)
  if (!removed.ok) return removed
  const { id, path } = removed.value
  const short = shortId(id)
  const text = cli.t`Session ${short} is in the trash (${path}). gong sessions restore ${short} restores it.`
  return ok({ text: `${cli.style.line(text)}\n`, json: { id, path } })
}

/** `gong sessions restore ID`. */
export async function restoreSession({ place, cli }: CommandContext, wanted: string): Promise<Outcome<CommandOutput>> {
  const moved = await tryMove(place.sessions.restore(wanted))
  if (!moved.ok) return moved
  const restoring = moved.value
  if (!restoring.ok) {
    const { removed } = restoring
    const ids = removed.slice(0, maxListed).map(({ id }) => shortId(id))
    const content = removed.length === 0 ? cli.t`The trash is empty.` : cli.t`It contains ${ids.join(", ")}.`
    return usage(phrase`there is no session "${wanted}" in the trash. ${content}`)
  }
  const { id, path } = restoring.session
  return ok({ text: `${cli.style.line(cli.t`Session ${shortId(id)} is restored.`)}\n`, json: { id, path } })
}
