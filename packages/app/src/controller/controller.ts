import type { PublishedStep, RunEnd } from "@gong/spec"
import type { OpenedSession } from "../compose/open-session.ts"
import type { Session } from "@gong/session/session"
import { mayBeCommand } from "../slash-line.ts"
import { type Answer, done } from "./answer.ts"
import type { ControllerContext, ControllerListener, ControllerState, SessionController } from "./api.ts"
import type { Answers } from "./data.ts"
import { endSession } from "./end-session.ts"
import type { PromptInput } from "./prompt-input.ts"

export function createController(context: ControllerContext, first: OpenedSession): SessionController {
  const { services } = context
  const listeners = new Set<ControllerListener>()
  const background = backgroundWork()
  let current = first
  const runs = promptRuns()
  let isStored = true
  let isDisconnected = false
  const state: ControllerState = {
    ...context,
    get current() {
      return current
    },
    get run() {
      return runs.current
    },
    get isStored() {
      return isStored
    },
    working: null,
    slash: null,
    async call(name, args) {
      const { promise, resolve } = Promise.withResolvers<Answer<Answers[typeof name]>>()
      await state.dispatch(name, args, (answer) => resolve(answer as Answer<Answers[typeof name]>))
      return promise
    },
    async dispatch(name, args, answer) {
      const { dispatch } = await import("./dispatch.ts")
      return dispatch(state, name, args, answer)
    },
    prompt: (input) => runs.prompt(current.session, input),
    async typed(text, person) {
      if (!mayBeCommand(text)) return { kind: "message", text }
      const { runTypedIn } = await import("./slash-commands.ts")
      return runTypedIn(state, person, text)
    },
    async input(text, images = []) {
      if (images.length === 0 && !/[@＠]/.test(text)) return done({ text, images: [], seen: [] })
      const { inputOf } = await import("./handlers/runs.ts")
      return inputOf(state, { text, images: [...images], mentions: true })
    },
    idle: () => void current.catchUp(),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    disconnect() {
      isDisconnected = true
      refuseQuestions(current.session)
    },
    inBackground: background.begin,
    settled: background.settled,
    async switchTo(next, keep) {
      isStored = (await endSession(services, current, keep)) && isStored
      current = next
      if (isDisconnected) refuseQuestions(next.session)
      for (const listener of listeners) await listener.opened?.(next)
    },
    ended(result) {
      for (const listener of listeners) listener.ended?.(result)
    },
    async shutdown() {
      // Its end is stored, too.
      current.session.abort()
      await runs.ended
      return (await endSession(services, current)) && isStored
    },
  }
  return state
}

/** Runs of prompts, one at a time. */
function promptRuns() {
  let current: { name: string | null } | null = null
  let ended: Promise<unknown> = Promise.resolve()
  return {
    get current() {
      return current
    },
    /** Never rejects. */
    get ended() {
      return ended
    },
    async prompt(session: Session, input: PromptInput): Promise<RunEnd> {
      const started: { name: string | null } = { name: null }
      const unsubscribe = session.subscribe((step) => (started.name ??= promptIdIn(step)), { partials: false })
      current = started
      const { promise, resolve } = Promise.withResolvers<void>()
      ended = promise
      try {
        return await session.prompt(input.text, input)
      } finally {
        resolve()
        unsubscribe()
        current = null
      }
    },
  }
}

function backgroundWork() {
  const works = new Set<Promise<void>>()
  return {
    begin(work: () => Promise<void>): void {
      const running = work().finally(() => works.delete(running))
      works.add(running)
    },
    async settled(): Promise<void> {
      while (works.size > 0) await Promise.all(works)
    },
  }
}

/** The id of the prompt in this step; null for none. */
function promptIdIn(step: PublishedStep): string | null {
  const entries = "entries" in step ? step.entries : []
  return entries.find((entry) => entry.type === "input" && entry.kind === "prompt")?.id ?? null
}

const disconnected = "The client has disconnected."

/** Refuses open questions, and each later one. */
function refuseQuestions(session: Session): void {
  const refuse = (): void => {
    for (const { id } of session.questions) session.reply(id, { choice: "no", message: disconnected })
    for (const { id } of session.dialogs) session.answer(id, {})
  }
  refuse()
  session.subscribe(
    (step) => {
      const code = "notification" in step ? step.notification.code : null
      if (code === "permission_request" || code === "ui_request") refuse()
    },
    { partials: false },
  )
}
