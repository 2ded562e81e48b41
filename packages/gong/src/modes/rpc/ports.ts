import type { RunEnd, SessionEvent, ThinkingLevel } from "@gong/spec"
import type { Session } from "../../session/session.ts"
import type { OtherCommand } from "../../slash/command.ts"
import type { PromptInput } from "../input.ts"
import type { ArgsOf } from "./commands.ts"
import type { Reader } from "./outlet.ts"
import type {
  AvailableModel,
  ExportData,
  ModelData,
  RedoData,
  SearchData,
  SessionsData,
  ToolsData,
  UndoData,
} from "./data.ts"
import type { Answer } from "./protocol.ts"

/** All that `gong rpc` reaches outside its own room. */
export interface RpcPorts {
  readonly version: string
  /** What the client writes. */
  readonly commands: AsyncIterable<Uint8Array>
  /** The client reads here. */
  readonly reader: Reader
  /** Opens a session beside the one that is open; nothing has changed when that cannot be done. */
  open(target: Target): Promise<Answer<OpenSession>>
  sessions(wanted: ArgsOf<"list_sessions">): Promise<Answer<SessionsData>>
  search(wanted: ArgsOf<"search">): Promise<Answer<SearchData>>
  exitOf(end: RunEnd): number
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves when the client has had time enough to read the last lines. */
  lastReading(): Promise<void>
  /** Resolves when something outside wants the process to end. */
  readonly ending: Promise<void>
}

export type Target =
  | { readonly kind: "new"; readonly name?: string }
  /** By id, its beginning, name or path. */
  | { readonly kind: "stored"; readonly session: string }
  /** A copy of the session that is open, from one of its steps on. */
  | { readonly kind: "fork"; readonly session: string; readonly entry?: string }

/** A session with what can be chosen for it. */
export interface OpenSession {
  readonly session: Session
  /** As it was opened. */
  readonly info: SessionEvent
  readonly choices: Choices
  /** Text with the files that it mentions, and images as models take them. */
  input(given: Pick<ArgsOf<"prompt">, "text" | "images" | "mentions">): Promise<Answer<PromptInput>>
  /** What a prompt may begin with, as `/name`. */
  slash(): Promise<readonly OtherCommand[]>
  undo(): Promise<Answer<UndoData>>
  redo(): Promise<Answer<RedoData>>
  export(wanted: ArgsOf<"export">): Promise<Answer<ExportData>>
  /** A run has ended: what nobody waits for may be done. Does not throw. */
  idle(): void
  /** Ends it as it should be. False when steps of it are not kept, which was said. */
  leave(): Promise<boolean>
}

/** What the next run goes by. */
export interface Choices {
  readonly model: ModelData
  readonly tools: readonly string[]
  permission: string
  autoCompaction: boolean
  autoRetry: boolean
  setModel(name: string): Promise<Answer<ModelData>>
  setThinking(level: ThinkingLevel): Answer<ModelData>
  /** As `--tools` takes them. */
  setTools(names: readonly string[]): Answer<ToolsData>
  available(): Promise<readonly Omit<AvailableModel, "current">[]>
}
