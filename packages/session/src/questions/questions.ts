import {
  type Clock,
  type Decision,
  isOffered,
  type PermissionAnswer,
  type PermissionOutcome,
  type PermissionQuestion,
  type PermissionRequest,
} from "@gong/spec"

/** `unknown`: no such question is open. `not-offered`: the choice was not among those offered. */
export type ReplyOutcome = "taken" | "unknown" | "not-offered"

export interface QuestionDeps {
  readonly clock: Clock
  /** Milliseconds until a question without an answer is closed, at least 1; null: no limit. */
  answerTime(): number | null
}

interface Open {
  readonly request: PermissionRequest
  settle(outcome: PermissionOutcome): void
}

/** The permission questions of a session: asked by its run, answered through the session API. */
export interface Questions {
  /** In the order of asking. */
  readonly open: readonly PermissionRequest[]
  ask(request: PermissionRequest, signal: AbortSignal): PermissionQuestion
  reply(id: string, answer: PermissionAnswer): ReplyOutcome
  /** After a change of the level: closes questions that the policy now decides. Does not fail. */
  reconsider(decide: (request: PermissionRequest) => Promise<Decision>): Promise<void>
}

export function createQuestions(deps: QuestionDeps): Questions {
  const { clock } = deps
  const open = new Map<string, Open>()
  return {
    get open() {
      return [...open.values()].map(({ request }) => request)
    },
    ask(asked, signal) {
      const answerTime = deps.answerTime()
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
      if (!isOffered(question.request, answer)) return "not-offered"
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
