import { FailureError, failureOf, type RunEnd } from "@gong/spec"
import { endWithStorage, resultEvent, runSummary } from "@gong/session/result"
import { type Answer, done, refusedBy } from "../answer.ts"
import type { ControllerState } from "../api.ts"
import type { PromptData } from "../data.ts"
import type { PromptInput } from "../prompt-input.ts"

/**
 * Begins a run for a client. Answers when the message is on the disk; the run then continues in the background, and its
 * result goes to the listeners. Resolves when the next command may be taken.
 */
export async function begin(
  state: ControllerState,
  input: PromptInput,
  answer: (answer: Answer<PromptData>) => void,
): Promise<void> {
  const { session } = state.current
  const { clock } = state.services
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>()
  const startedAt = clock.now()
  const collected = runSummary()
  let name: string | null = null
  const leave = session.subscribe(
    (step) => {
      // A command of an extension asks: its answer comes by another command of the client's.
      if ("notification" in step && step.notification.code === "ui_request") hasBegun()
      if (!("entries" in step)) return
      for (const entry of step.entries) {
        collected.add(entry)
        if (entry.type !== "input" || entry.kind !== "prompt") continue
        name = entry.id
        answer(done({ run: name, disposition: state.working === null ? "started" : "queued" }))
        hasBegun()
      }
    },
    { partials: false },
  )
  const finish = async (end: RunEnd): Promise<void> => {
    if (name === null && end.failure) return answer(refusedBy(new FailureError(end.failure)))
    if (name === null) return answer(done({ run: null, disposition: "handled" }))
    const took = clock.now() - startedAt
    const kept = await endWithStorage(session, end, state.exitOf(end))
    return state.ended({ ...resultEvent(kept.end, kept.exit, collected.summary(), session.id, took), run: name })
  }
  state.inBackground(async () => {
    try {
      await finish(await state.prompt(input))
    } catch (error) {
      if (name === null) answer(refusedBy(error))
      else await finish({ status: "failed", turns: 0, failure: failureOf(error) })
    } finally {
      leave()
      hasBegun()
      state.idle()
    }
  })
  await begun
}
