import type { Clock, DialogAnswer, DialogOutcome, DialogRequest, Notification } from "@gong/spec"
import type { ReplyOutcome } from "./questions.ts"

export interface DialogDeps {
  readonly clock: Clock
  /** Milliseconds until a dialog without an answer is closed, at least 1; null: no limit. */
  answerTime(): number | null
}

interface Open {
  readonly request: DialogRequest
  settle(outcome: DialogOutcome): void
}

/** Dialogs of tools with the person: one at a time, in the order of the requests. */
export interface Dialogs {
  readonly open: readonly DialogRequest[]
  /** Never rejects. */
  ask(request: DialogRequest, signal: AbortSignal): Promise<DialogOutcome>
  reply(id: string, answer: DialogAnswer): ReplyOutcome
}

export function createDialogs(deps: DialogDeps, notify: (notification: Notification) => void): Dialogs {
  let open: Open | null = null
  let before: Promise<unknown> = Promise.resolve()

  const shown = async (asked: DialogRequest, signal: AbortSignal): Promise<DialogOutcome> => {
    if (signal.aborted) return { by: "stop" }
    const { clock } = deps
    const answerTime = deps.answerTime()
    const request = answerTime === null ? asked : { ...asked, expiresAt: isoTime(clock.now() + answerTime) }
    const { promise, resolve } = Promise.withResolvers<DialogOutcome>()
    const stop = (): void => resolve({ by: "stop" })
    const forget = answerTime === null ? null : clock.timer(answerTime, () => resolve({ by: "timeout" }))
    signal.addEventListener("abort", stop)
    // Opened before it is published: a subscriber may answer at once.
    open = { request, settle: resolve }
    notify({ code: "ui_request", ...request })
    const outcome = await promise
    open = null
    forget?.()
    signal.removeEventListener("abort", stop)
    notify({ code: "ui_end", id: request.id, ...outcome })
    return outcome
  }

  return {
    get open() {
      return open === null ? [] : [open.request]
    },
    ask(request, signal) {
      const asking = before.then(() => shown(request, signal))
      before = asking
      return asking
    },
    reply(id, answer) {
      if (open?.request.id !== id) return "unknown"
      if (!isOffered(open.request, answer)) return "not-offered"
      open.settle({ ...answer, by: "user" })
      return "taken"
    },
  }
}

function isOffered({ choices, freeText }: DialogRequest, { choice, text }: DialogAnswer): boolean {
  if (text !== undefined && !freeText) return false
  return choice === undefined || choices.some(({ label }) => label === choice)
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
