import type { ResultEvent, RunEnd } from "@gong/spec"
import type { OpenedSession } from "../compose/open-session.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Services } from "../services.ts"
import type { UserDialogs, SlashResult } from "../slash/result.ts"
import type { Answer } from "./answer.ts"
import type { ArgsOf, SessionCommand } from "./commands.ts"
import type { AnyData, Answers } from "./data.ts"
import type { ClientImage, PromptInput } from "./prompt-input.ts"

/** The fields of a command, unchecked. */
export type Args = Readonly<Record<string, unknown>>

/** Work other than a run. */
export type Working = "bash" | "compaction" | "branch"

/** What a frontend of a single prompt needs. */
export interface PromptController {
  readonly current: Pick<OpenedSession, "session">
  /** Runs a prompt to its end. Rejects during a run. */
  prompt(input: PromptInput): Promise<RunEnd>
}

/**
 * All operations of a session, the same for every frontend: the commands of one table (`commands.ts`), as data. Frontends
 * read the history and events from `current.session`.
 */
export interface SessionController extends PromptController {
  /** The open session; replaced by `new_session`, `switch_session`, `fork` and `reload`. */
  readonly current: OpenedSession
  /** The current run. Its name is the id of its input; null until the input is on the tape. */
  readonly run: { readonly name: string | null } | null
  /** All steps of the earlier sessions are stored. */
  readonly isStored: boolean
  /** Runs one command to its answer. Errors of the client are answers, and never reject. */
  call<C extends SessionCommand>(name: C, args: ArgsOf<C>): Promise<Answer<Answers[C]>>
  /**
   * The same for a client with a queue of commands: `answer` is called exactly once, and the next command may be read when
   * the promise resolves, which for long work is before the answer.
   */
  dispatch(name: SessionCommand, args: Args, answer: (answer: Answer<AnyData>) => void): Promise<void>
  /** Runs a typed slash command; returns any other text as a message. */
  typed(text: string, person: UserDialogs): Promise<SlashResult>
  /** A typed message with its mentioned files. `images`: pasted ones, in base64. */
  input(text: string, images?: readonly ClientImage[]): Promise<Answer<PromptInput>>
  /** Called between runs: adds new entries to the index of sessions, in the background. Does not fail. */
  idle(): void
  /** Returns a function that removes the listener. */
  listen(listener: ControllerListener): () => void
  /** After the client has disconnected: answers open and later questions with no. */
  disconnect(): void
  /** Resolves when no command is in progress. */
  settled(): Promise<void>
  /** Ends the run and the session. False: steps of this session or of an earlier one are not stored. */
  shutdown(): Promise<boolean>
}

export interface ControllerListener {
  /** Another session was opened, and the previous one ended. The command is answered afterwards. */
  opened?(next: OpenedSession): Promise<void> | void
  /** A run of the command `prompt` or `command` has ended. */
  ended?(result: ResultEvent & { readonly run: string }): void
}

/** The dependencies of the controller. */
export interface ControllerContext {
  readonly services: Services
  readonly spec: SessionSpec
  /** The exit status of a process after this run, for its result. */
  exitOf(end: RunEnd): number
}

/** The controller with its internal state, for its commands. */
export interface ControllerState extends SessionController, ControllerContext {
  working: Working | null
  /** The current slash command of a client, for the command `abort`. */
  slash: AbortController | null
  /** Starts long work; `settled` waits for it. */
  inBackground(work: () => Promise<void>): void
  /** Ends the current session and replaces it. `keep`: both share the tape. */
  switchTo(next: OpenedSession, keep?: "tape"): Promise<void>
  /** Notifies the listeners. */
  ended(result: ResultEvent & { readonly run: string }): void
}
