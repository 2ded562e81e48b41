import { FailureError, messageOf, phrase } from "@gong/spec"
import { sessionInUse, findSession } from "@gong/app/compose/tapes/tape"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { Answer, Asked } from "./answer.ts"

const maxNamed = 10

/** `gong sessions rm ID`: out of every list, and back with `restore`. Nothing empties the trash. */
export async function removeSession({ place, cli }: Asked, wanted: string): Promise<Outcome<Answer>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const { id } = session.value
  const tried = await moved(place.sessions.remove(session.value))
  if (!tried.ok) return tried
  const removal = tried.value
  if (!removal.ok) return sessionInUse(session.value, removal)
  const short = shortId(id)
  const { path } = removal
  const text = cli.t`Session ${short} is in the trash (${path}). gong sessions restore ${short} brings it back.`
  return ok({ text: `${cli.style.line(text)}\n`, json: { id, path } })
}

/** `gong sessions restore ID`. */
export async function restoreSession({ place, cli }: Asked, wanted: string): Promise<Outcome<Answer>> {
  const tried = await moved(place.sessions.restore(wanted))
  if (!tried.ok) return tried
  const restoring = tried.value
  if (!restoring.ok) {
    const { removed } = restoring
    const some = removed.slice(0, maxNamed).map(({ id }) => shortId(id))
    const there = removed.length === 0 ? cli.t`The trash is empty.` : cli.t`It holds ${some.join(", ")}.`
    return usage(phrase`there is no session "${wanted}" in the trash. ${there}`)
  }
  const { id, path } = restoring.session
  return ok({ text: `${cli.style.line(cli.t`Session ${shortId(id)} is back.`)}\n`, json: { id, path } })
}

/** Something in the way of a session is no fault of the disk. */
async function moved<T>(moving: Promise<T>): Promise<Outcome<T>> {
  try {
    return ok(await moving)
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.cause !== undefined) throw error
    return usage(messageOf(error.failure))
  }
}
