import {
  clauseOf,
  messageOf,
  type Failure,
  failure,
  failureOf,
  type InputKind,
  type Notification,
  phrase,
  type QueuedInput,
  textNotification,
} from "@gong/spec"
import type { Tape } from "@gong/tape"
import type { InputQueue } from "./input/inbox.ts"

/** The most steering messages and follow-ups that may wait at once. */
export const maxQueued = 100

export function busy(): Failure {
  return failure("denied", phrase`This session is busy: a run is in progress.`, {
    hint: phrase`use steer or follow_up`,
  })
}

export function queueFull(): Failure {
  const text = phrase`${maxQueued} messages wait already; no more are taken before the model has seen some of them.`
  return failure("limit", text)
}

export function noCommands(): Failure {
  return failure("bad-request", phrase`This session runs no commands: it was begun without tools.`)
}

export function storageWarning(what: Failure): Notification {
  const why = clauseOf(messageOf(what))
  const text = phrase`${why}; the session continues in memory, and tools may not change anything until it can be written again`
  return textNotification("storage", "warn", text)
}

/** Writes waiting entries once more. Null when all entries are written, and durable where they have to be; else the failure. */
export async function unwritten(tape: Tape): Promise<Failure | null> {
  const isWritten = tape.flush()
  try {
    await tape.settled()
  } catch (error) {
    return failureOf(error)
  }
  if (isWritten || tape.stalled === null) return null
  const count = tape.all.length - tape.store.length
  const why = clauseOf(messageOf(tape.stalled))
  const text =
    count === 1
      ? phrase`${why}; the last step of this session is not kept.`
      : phrase`${why}; the last ${count} steps of this session are not kept.`
  return failure("storage", text, { cause: tape.stalled.cause })
}

export function queueUpdate(queue: InputQueue): Notification {
  return { code: "queue", ...waitingIn(queue) }
}

/** Waiting messages, oldest first. */
export interface Waiting {
  readonly steer: readonly QueuedInput[]
  readonly followUp: readonly QueuedInput[]
}

export function waitingIn(queue: InputQueue): Waiting {
  const rows = (kind: InputKind) => queue.waiting(kind).map(({ id, text }) => ({ id, text }))
  return { steer: rows("steer"), followUp: rows("follow_up") }
}
