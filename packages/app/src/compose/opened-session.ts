import type { Hook, Host, Jobs, Provider, SessionEvent, Tool } from "@gong/spec"
import type { SessionMcp } from "./mcp/parts.ts"
import type { Choices } from "./models/choices.ts"
import type { SessionShutdown } from "./shutdown.ts"
import type { ChosenModel } from "./models/model.ts"
import type { Resources } from "./resources/resources.ts"
import type { OpenedTape } from "./tapes/tape.ts"
import type { Session } from "@gong/session/session"

/** A session with all of its parts. */
export interface OpenedSession extends SessionShutdown {
  readonly session: Session
  /** The first event. */
  readonly info: SessionEvent
  readonly chosen: ChosenModel
  /** Whole lines for the user, before the first request. */
  readonly lines: readonly string[]
  /** Background jobs. Without `shutdown` they end with the process. */
  readonly jobs: Jobs
  readonly choices: Choices
  /** Adds new entries of this session to the index, in the background. Never fails. */
  catchUp(): Promise<void>
  /** Skills, templates and other resources of the user and of the folder. */
  readonly resources: Resources
  readonly mcp: SessionMcp
  /** The open tape, for a reload. */
  readonly opened: OpenedTape
  readonly host: Host
}

/** Options of a program that are not plain data, in addition to the spec. */
export interface SessionOptions {
  /** A model without key and network, instead of the one in the spec. */
  readonly provider?: Provider
  /** In addition to the built-in tools; their calls need permission, like all unknown calls. */
  readonly customTools?: readonly Tool[]
  /** Called before the configured hooks. */
  readonly hooks?: readonly Hook[]
  /** Loads MCP servers with the first message or command; `info.tools` lacks their tools. */
  readonly defersServers?: boolean
  /** Uses this open tape, which stays open on failure. */
  readonly opened?: OpenedTape
}
