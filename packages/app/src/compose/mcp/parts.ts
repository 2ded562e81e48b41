import type { Declarations, Hook, Phrase, Text } from "@gong/spec"
import type { ToolSource } from "@gong/tools"
import type { ServerState, ToolChange } from "@gong/mcp"
import type { Session } from "@gong/session/session"
import type { SessionContext } from "../config.ts"
import type { RemoteCommand } from "../extensions/extension-parts.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"

/** One configured server, for lists. */
export interface McpRow {
  readonly name: string
  readonly level: "user" | "project"
  /** `file:line`. */
  readonly place: string
  /** Its command line, or its address. */
  readonly target: string
  readonly state: ServerState | { readonly kind: "off" }
  /** Full names; null: the server was never started. */
  readonly tools: readonly string[] | null
  readonly prompts: readonly string[]
  readonly resources: boolean
  /** Differences to the tools that the user has accepted. */
  readonly changes: readonly ToolChange[]
  /** Definitions that were left out. */
  readonly problems: readonly string[]
}

/** The answer of the commands `get_mcp` and `set_mcp`. */
export interface McpData {
  readonly servers: readonly McpRow[]
}

/** The MCP servers of a session. */
export interface SessionMcp {
  /** Reads the configuration and the pinned definitions, once. Until then there are no servers. */
  load(): Promise<void>
  readonly source: ToolSource
  /** Declarations that policy trusts: that a call goes to a server, and to which of its tools. */
  readonly declared: Declarations
  /** The prompts of servers as commands. */
  commands(): readonly RemoteCommand[]
  readonly hooks: readonly Hook[]
  /** Complete lines for the user. */
  readonly lines: readonly Text[]
  rows(): readonly McpRow[]
  /** The last lines that a server has printed beside its messages. */
  output(name: string): string
  /** Starts a server and reads its lists. Rejects with a FailureError. */
  start(name: string, signal: AbortSignal): Promise<void>
  accept(name: string): void
  /** For this session. */
  turn(name: string, on: boolean): void
  /** Logs in; the address is shown as a notification and opened in a browser. */
  login(name: string, signal: AbortSignal): Promise<void>
  attach(session: AttachedSession): void
  /** Ends the servers that no other session uses. */
  end(): Promise<void>
}

export interface AttachedSession {
  readonly session: Session
  /** The tools have changed. */
  renewed(): void
}

export interface McpOptions extends SessionContext {
  readonly persistent: boolean
  readonly interactive: boolean
  readonly sandbox: Sandbox
  /** Variables and values that no server receives. */
  readonly keyNames: readonly string[]
  readonly keys: readonly string[]
  /** Called with the keys that the servers receive by their configuration. */
  redact(keys: readonly string[]): void
  /** Receives lines for the user while no session is attached. */
  tell?(line: Phrase): void
  /** Reads a line of the user, where no session is attached; null: none, or the signal has aborted. */
  readLine?(question: Phrase, signal: AbortSignal): Promise<string | null>
}

/** Milliseconds for a prompt or the resources of a message. */
export const promptTime = 60_000

export const none: SessionMcp = {
  load: async () => undefined,
  source: { from: "MCP servers", tools: [], owns: ["mcp"] },
  declared: () => null,
  commands: () => [],
  hooks: [],
  lines: [],
  rows: () => [],
  output: () => "",
  start: async () => undefined,
  accept: () => undefined,
  turn: () => undefined,
  login: async () => undefined,
  attach: () => undefined,
  end: async () => undefined,
}
