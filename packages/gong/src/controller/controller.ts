import type { PublishedStep, ResultEvent, RunEnd } from "@gong/spec"
import type { App } from "../build.ts"
import type { SyncMode } from "../build/sessions.ts"
import type { SessionSpec } from "../config/session-spec.ts"
import { leaveApp } from "./leave.ts"
import type { Session } from "../session/session.ts"
import { mayBeCommand } from "../slash-line.ts"
import type { Person, SlashEnd } from "../slash/parts.ts"
import type { Services } from "../services.ts"
import type { Answer } from "./answer.ts"
import type { ArgsOf, SessionCommand } from "./commands.ts"
import type { AnyData, Answers } from "./data.ts"
import type { PromptInput } from "./prompt-input.ts"

/** The fields of a command, unchecked. */
export type Args = Readonly<Record<string, unknown>>

/** Work other than a run. */
export type Working = "bash" | "compaction" | "branch"

/** What a frontend of a single prompt needs. */
export interface PromptController {
  readonly current: Pick<App, "session">
  /** Runs a prompt to its end. Rejects when a run is in progress. */
  prompt(input: PromptInput): Promise<RunEnd>
}

/**
 * Everything that a person or a program can ask of a session, the same for every frontend: commands of one table
 * (`commands.ts`), as data. What is shown and followed is read from `current.session`.
 */
export interface SessionController extends PromptController {
  /** The open session; another one after `new_session`, `switch_session`, `fork` and `reload`. */
  readonly current: App
  /** The current run; its name is the id of its input, null until that is on the tape. */
  readonly run: { readonly name: string | null } | null
  /** Every step of the sessions that were left is on the disk. */
  readonly kept: boolean
  /** Runs one command to its answer. Never rejects for what a client can get wrong. */
  call<C extends SessionCommand>(name: C, args: ArgsOf<C>): Promise<Answer<Answers[C]>>
  /**
   * The same for a client whose commands are taken in their order: `answer` is called exactly once, and the next command may
   * be read when the promise resolves, which for long work is before the answer.
   */
  dispatch(name: SessionCommand, args: Args, answer: (answer: Answer<AnyData>) => void): Promise<void>
  /** What a person typed: a slash command is run, anything else comes back as the message that it is. */
  typed(text: string, person: Person): Promise<SlashEnd>
  /** For the time between runs: the index of sessions reads what is new, in the background. Does not fail. */
  idle(): void
  /** Gives a function that ends it. */
  listen(listener: ControllerListener): () => void
  /** The client is gone: open and later questions are answered with no. */
  hangUp(): void
  /** Resolves when no work of a command is left. */
  settled(): Promise<void>
  /** Ends the session as it should be. False when steps of it, or of one that was left, are not kept. */
  leave(): Promise<boolean>
}

export interface ControllerListener {
  /** Another session is open, and the one before was left. The command that opened it is answered afterwards. */
  opened?(next: App): Promise<void> | void
  /** A run that the command `prompt` or `command` began has ended. */
  ended?(result: ResultEvent & { readonly run: string }): void
}

/** What the controller is made with. */
export interface ControllerContext {
  readonly services: Services
  readonly spec: SessionSpec
  /** The exit status of a process that ends with this run; a part of its result. */
  exitOf(end: RunEnd): number
  /** Where syncs of sessions that it opens are made. Default: `at-once`. */
  readonly syncMode?: SyncMode
}

/** The controller as its commands see it. */
export interface ControllerState extends SessionController, ControllerContext {
  working: Working | null
  /** The current slash command of a client; the command `abort` aborts it. */
  slash: AbortController | null
  /** Long work; `settled` waits for it. */
  inBackground(work: () => Promise<void>): void
  /** Makes this session the current one and leaves the one before. `keeps`: both share the tape. */
  switchTo(next: App, keeps?: "tape"): Promise<void>
  /** To the listeners. */
  ended(result: ResultEvent & { readonly run: string }): void
}

export function createController(context: ControllerContext, first: App): SessionController {
  const { services } = context
  const listeners = new Set<ControllerListener>()
  const background = backgroundWork()
  let current = first
  let run: { name: string | null } | null = null
  let kept = true
  let gone = false
  const refuseIfGone = (step: PublishedStep): void => {
    const code = "notification" in step ? step.notification.code : null
    if (gone && (code === "permission_request" || code === "ui_request")) refuseQuestions(current.session)
  }
  let unsubscribe = current.session.subscribe(refuseIfGone, { partials: false })
  const state: ControllerState = {
    ...context,
    get current() {
      return current
    },
    get run() {
      return run
    },
    get kept() {
      return kept
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
    async prompt(input) {
      const mine: { name: string | null } = { name: null }
      const { session } = current
      const leave = session.subscribe((step) => (mine.name ??= promptIn(step)), { partials: false })
      run = mine
      try {
        return await session.prompt(input.text, input)
      } finally {
        leave()
        run = null
      }
    },
    async typed(text, person) {
      if (!mayBeCommand(text)) return { kind: "message", text }
      const { typedIn } = await import("./slash-context.ts")
      return typedIn(state, person, text)
    },
    idle: () => void current.catchUp(),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hangUp() {
      gone = true
      refuseQuestions(current.session)
    },
    inBackground: background.begin,
    settled: background.settled,
    async switchTo(next, keeps) {
      const before = current
      kept = (await leaveApp(services, before, keeps)) && kept
      unsubscribe()
      current = next
      unsubscribe = next.session.subscribe(refuseIfGone, { partials: false })
      for (const listener of listeners) await listener.opened?.(next)
    },
    ended(result) {
      for (const listener of listeners) listener.ended?.(result)
    },
    async leave() {
      return (await leaveApp(services, current)) && kept
    },
  }
  return state
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

/** The id of the message that begins a run, where this step holds it. */
function promptIn(step: PublishedStep): string | null {
  const entries = "entries" in step ? step.entries : []
  return entries.find((entry) => entry.type === "input" && entry.kind === "prompt")?.id ?? null
}

const left = "The client is gone."

function refuseQuestions(session: Session): void {
  for (const { id } of session.questions) session.reply(id, { choice: "no", message: left })
  for (const { id } of session.dialogs) session.answer(id, {})
}
