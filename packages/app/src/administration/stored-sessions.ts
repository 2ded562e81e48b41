import { FailureError, messageOf } from "@gong/spec"
import { nameTape } from "@gong/tape"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { findSession } from "../compose/tapes/find-session.ts"
import type { TapeStorage } from "../compose/tapes/storage.ts"
import { openToWrite, sessionInUse } from "../compose/tapes/tape.ts"

/** Names a stored session. One that is open elsewhere is a usage error. */
export async function renameStored(
  storage: TapeStorage,
  wanted: string,
  name: string,
): Promise<Outcome<{ readonly id: string; readonly name: string }>> {
  const session = await findSession(storage, wanted)
  if (!session.ok) return session
  const opened = await openToWrite(storage, session.value)
  if (!opened.ok) return opened
  const { tape } = opened.value
  try {
    nameTape(tape, name)
    await tape.settled()
  } finally {
    tape.close()
  }
  return ok({ id: session.value.id, name })
}

/** Moves a stored session to the trash, which is never emptied. `path`: where it is now. */
export async function removeStored(
  storage: TapeStorage,
  wanted: string,
): Promise<Outcome<{ readonly id: string; readonly path: string | null }>> {
  const session = await findSession(storage, wanted)
  if (!session.ok) return session
  const moved = await tryMove(storage.sessions.remove(session.value))
  if (!moved.ok) return moved
  const removal = moved.value
  return removal.ok ? ok({ id: session.value.id, path: removal.path }) : sessionInUse(session.value, removal)
}

/** A conflict with an existing file is a usage error; disk errors are thrown. */
export async function tryMove<T>(move: Promise<T>): Promise<Outcome<T>> {
  try {
    return ok(await move)
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.cause !== undefined) throw error
    return usage(messageOf(error.failure))
  }
}
