import type { ResultEvent, RunEnd } from "@gong/spec"
import type { OpenedSession } from "../compose/open-session.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Services } from "../services.ts"
import type { Person, SlashEnd } from "../slash/parts.ts"
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
  readonly current: Pick<OpenedSession, "session">
  /** Runs a prompt to its end. Rejects when a run is in progress. */
  prompt(input: PromptInput): Promise<RunEnd>
}

/**
 * Everything that a person or a program can ask of a session, the same for every frontend: commands of one table
 * (`commands.ts`), as data. What is shown and followed is read from `current.session`.
 */
export interface SessionController extends PromptController {
  /** The open session; another one after `new_session`, `switch_session`, `fork` and `reload`. */
  readonly current: OpenedSession
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
  opened?(next: OpenedSession): Promise<void> | void
  /** A run that the command `prompt` or `command` began has ended. */
  ended?(result: ResultEvent & { readonly run: string }): void
}

/** What the controller is made with. */
export interface ControllerContext {
  readonly services: Services
  readonly spec: SessionSpec
  /** The exit status of a process that ends with this run; a part of its result. */
  exitOf(end: RunEnd): number
}

/** The controller as its commands see it. */
export interface ControllerState extends SessionController, ControllerContext {
  working: Working | null
  /** The current slash command of a client; the command `abort` aborts it. */
  slash: AbortController | null
  /** Long work; `settled` waits for it. */
  inBackground(work: () => Promise<void>): void
  /** Makes this session the current one and leaves the one before. `keeps`: both share the tape. */
  switchTo(next: OpenedSession, keeps?: "tape"): Promise<void>
  /** To the listeners. */
  ended(result: ResultEvent & { readonly run: string }): void
}
