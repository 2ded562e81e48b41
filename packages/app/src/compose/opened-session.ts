import type { Hook, Host, Jobs, Provider, SessionEvent, Tool } from "@gong/spec"
import type { Choices } from "./models/choices.ts"
import type { Endings } from "./shutdown.ts"
import type { ChosenModel } from "./models/model.ts"
import type { Resources } from "./resources/resources.ts"
import type { OpenedTape } from "./tapes/tape.ts"
import type { Session } from "@gong/session/session"

/** A session with every part chosen. */
export interface OpenedSession extends Endings {
  readonly session: Session
  /** The first event; the first line for people is made of it. */
  readonly info: SessionEvent
  readonly chosen: ChosenModel
  /** Whole lines for the user, before anything is sent. */
  readonly lines: readonly string[]
  /** What runs in the background; where there is no time for `leave`, the death of the process ends it. */
  readonly jobs: Jobs
  readonly choices: Choices
  /** The index of sessions reads the new entries of this one, in the background. Never fails. */
  catchUp(): Promise<void>
  /** Skills, templates and what else lies in files of the user's and of the folder. */
  readonly resources: Resources
  /** The open tape, for a reload. */
  readonly opened: OpenedTape
  /** Where the session works. */
  readonly host: Host
}

/** What a program gives beside the plain data of a spec. */
export interface SessionOptions {
  /** A model that needs neither a key nor the network, in place of the one that the spec would name. */
  readonly provider?: Provider
  /** Beside the built-in ones; permission is asked for each call, as for anything unknown. */
  readonly customTools?: readonly Tool[]
  /** Called before the configured hooks. */
  readonly hooks?: readonly Hook[]
  /** Uses a tape that is already open, which stays open on failure. */
  readonly opened?: OpenedTape
}
