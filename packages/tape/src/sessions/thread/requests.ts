import { type Clock, FailureError, phrase, type Text } from "@gong/spec"
import { storageFailure } from "../../store/storage.ts"
import type { SessionReads } from "../reads.ts"
import type { Answer, Request, ThreadContext } from "./protocol.ts"
import type { OpenThread, Thread } from "./worker.ts"

export type Ask = (context: ThreadContext, verb: keyof SessionReads, values: readonly unknown[]) => Promise<unknown>

/** Maximum number of pending requests. */
export const maxWaiting = 10_000
/** Milliseconds without progress after which the thread counts as hung, and between two checks. */
export const maxSilence = 30_000
const lookEvery = 5_000

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/**
 * Sends requests to one thread, started by the first of them. If the thread dies or hangs, all pending requests fail
 * (`storage`), and the next request starts another thread.
 */
export function requestsTo(open: OpenThread, clock: Clock): Ask {
  const waiting = new Map<number, Waiting>()
  let thread: Thread | null = null
  let ids = 0
  let stopWatching = (): void => undefined

  const settle = (answer: Answer): void => {
    const one = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) rest()
    if ("value" in answer) one?.resolve(answer.value)
    else one?.reject("failure" in answer ? new FailureError(answer.failure) : new Error(answer.broken))
  }
  const rest = (): void => {
    stopWatching()
    thread?.hold(false)
  }
  const lost = (reason: Text): void => {
    rest()
    thread?.end()
    thread = null
    const error = storageFailure(
      phrase`The sessions could not be read: the thread for it ended (${reason}). Try again.`,
    )
    for (const one of waiting.values()) one.reject(error)
    waiting.clear()
  }
  const watch = (seen: number, since: number): void => {
    stopWatching = clock.timer(lookEvery, () => {
      const now = thread?.progress() ?? seen
      if (now !== seen) return watch(now, clock.now())
      if (clock.now() - since >= maxSilence) return lost(phrase`no progress for ${maxSilence / 1000} s`)
      watch(seen, since)
    })
  }
  const send = (request: Omit<Request, "id">): Promise<unknown> => {
    if (waiting.size >= maxWaiting)
      throw storageFailure(phrase`${maxWaiting} requests wait for the index of sessions already.`)
    thread ??= open({ answered: settle, gone: lost })
    const id = ids++
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    thread.post({ id, ...request })
    if (waiting.size > 1) return promise
    thread.hold(true)
    watch(thread.progress(), clock.now())
    return promise
  }
  return async (context, verb, values) => send({ context, verb, values })
}
