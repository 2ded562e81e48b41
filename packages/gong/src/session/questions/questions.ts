import type {
  Clock,
  Decision,
  PermissionAnswer,
  PermissionOutcome,
  PermissionQuestion,
  PermissionRequest,
} from "@gong/spec"

/** What a reply came to: taken; no such question is open; or its choice was not among those that were offered. */
export type ReplyOutcome = "taken" | "unknown" | "not-offered"

export interface QuestionDeps {
  readonly clock: Clock
  /** Milliseconds for which a question stays open, 1 and more; null: without limit. */
  readonly answerTime: number | null
}

interface Open {
  readonly request: PermissionRequest
  settle(outcome: PermissionOutcome): void
}

/** The questions that a session has for people: opened by its run, answered through its public face. */
export interface Questions {
  /** In the order in which they were asked. */
  readonly open: readonly PermissionRequest[]
  ask(request: PermissionRequest, signal: AbortSignal): PermissionQuestion
  reply(id: string, answer: PermissionAnswer): ReplyOutcome
  /** The level has changed: what is now decided needs no person any more. Does not fail. */
  reconsider(decide: (request: PermissionRequest) => Promise<Decision>): Promise<void>
}

export function createQuestions(parts: QuestionDeps): Questions {
  const { clock } = parts
  const open = new Map<string, Open>()
  return {
    get open() {
      return [...open.values()].map(({ request }) => request)
    },
    ask(asked, signal) {
      const { answerTime } = parts
      const expiresAt = answerTime === null ? {} : { expiresAt: new Date(clock.now() + answerTime).toISOString() }
      const request = { ...asked, ...expiresAt }
      const { promise: answer, resolve } = Promise.withResolvers<PermissionOutcome>()
      const stop = (): void => settle({ choice: "no", by: "user" })
      const forget = answerTime === null ? null : clock.timer(answerTime, () => settle({ choice: "no", by: "timeout" }))
      const settle = (outcome: PermissionOutcome): void => {
        if (!open.delete(request.id)) return
        forget?.()
        signal.removeEventListener("abort", stop)
        resolve(outcome)
      }
      open.set(request.id, { request, settle })
      signal.addEventListener("abort", stop)
      if (signal.aborted) stop()
      return { ...expiresAt, answer }
    },
    reply(id, answer) {
      const question = open.get(id)
      if (question === undefined) return "unknown"
      if (!question.request.choices.includes(answer.choice)) return "not-offered"
      question.settle({ ...answer, by: "user" })
      return "taken"
    },
    async reconsider(decide) {
      for (const { request, settle } of open.values()) {
        const { verdict } = await decide(request)
        if (verdict !== "ask") settle({ choice: verdict === "allow" ? "once" : "no", by: "mode" })
      }
    },
  }
}
