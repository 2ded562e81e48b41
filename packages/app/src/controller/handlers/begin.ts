import { FailureError, failureOf, type RunEnd } from "@gong/spec"
import { endWithStorage, resultEvent, runSummary } from "@gong/session/result"
import { type Answer, done, refusalFor } from "../answer.ts"
import type { ControllerState } from "../api.ts"
import type { PromptData } from "../data.ts"
import type { PromptInput } from "../prompt-input.ts"

/**
 * Starts a run for a client. Answers when the message is on the disk; the run continues in the background, and its result
 * goes to the listeners. Resolves when the next command may be read.
 */
export async function begin(
  state: ControllerState,
  input: PromptInput,
  answer: (answer: Answer<PromptData>) => void,
): Promise<void> {
  const { session } = state.current
  const { clock } = state.services
  const started = Promise.withResolvers<void>()
  const startedAt = clock.now()
  const collected = runSummary()
  let name: string | null = null
  const unsubscribe = session.subscribe(
    (step) => {
      // A command of an extension asks the user; the answer is another command of the client.
      if ("notification" in step && step.notification.code === "ui_request") started.resolve()
      if (!("entries" in step)) return
      for (const entry of step.entries) {
        collected.add(entry)
        if (entry.type !== "input" || entry.kind !== "prompt") continue
        name = entry.id
        answer(done({ run: name, disposition: state.working === null ? "started" : "queued" }))
        started.resolve()
      }
    },
    { partials: false },
  )
  const finish = async (end: RunEnd): Promise<void> => {
    if (name === null && end.failure) return answer(refusalFor(new FailureError(end.failure)))
    if (name === null) return answer(done({ run: null, disposition: "handled" }))
    const durationMs = clock.now() - startedAt
    const stored = await endWithStorage(session, end, state.exitOf(end))
    return state.ended({
      ...resultEvent(stored.end, stored.exit, collected.summary(), session.id, durationMs),
      run: name,
    })
  }
  state.inBackground(async () => {
    try {
      await finish(await state.prompt(input))
    } catch (error) {
      if (name === null) answer(refusalFor(error))
      else await finish({ status: "failed", turns: 0, failure: failureOf(error) })
    } finally {
      unsubscribe()
      started.resolve()
      state.idle()
    }
  })
  await started.promise
}
