import type { McpData } from "../compose/mcp/parts.ts"
import type { Recap } from "../recap.ts"
import type {
  DialogRequest,
  Entry,
  Message,
  PermissionRequest,
  Price,
  PublicFailure,
  QueuedInput,
  ThinkingLevel,
  TodoItem,
  ToolStatus,
} from "@gong/spec"
import type { Segment } from "@gong/tape"
import type { FileDiff } from "@gong/session/changes/diff"
import type { Completion, OtherCommand } from "../slash/result.ts"
import type { SearchData, SessionsData, StatsData } from "./stored-data.ts"
import type { CommandName, Right } from "./commands.ts"

/** The answers of the commands. Fields are only added. */
export interface Answers {
  readonly hello: HelloData
  readonly prompt: PromptData
  readonly steer: QueuedData
  readonly follow_up: QueuedData
  readonly abort: AbortData
  readonly bash: BashData
  readonly get_state: StateData
  readonly get_recap: RecapData
  readonly get_messages: MessagesData
  readonly get_entries: EntriesData
  readonly set_model: ModelData
  readonly cycle_model: ModelData
  readonly get_available_models: ModelsData
  readonly set_thinking_level: ModelData
  readonly compact: CompactData
  readonly undo: UndoData
  readonly redo: RedoData
  readonly permission_reply: Empty
  readonly ui_reply: Empty
  readonly clear_queue: RemovedData
  readonly remove_queued: RemovedData
  readonly set_auto_compaction: SwitchData
  readonly set_auto_retry: SwitchData
  readonly set_permission: PermissionData
  readonly set_tools: ToolsData
  readonly new_session: SessionData
  readonly switch_session: SessionData
  readonly fork: SessionData
  readonly reload: SessionData
  readonly get_tree: TreeData
  readonly navigate: LeafData
  readonly set_name: Empty
  readonly label: Empty
  readonly export: ExportData
  readonly get_mcp: McpData
  readonly set_mcp: McpData
  readonly get_commands: CommandsData
  readonly command: CommandData
  readonly complete: CompleteData
  readonly find_files: FilesData
  readonly get_jobs: JobsData
  readonly read_job: JobOutputData
  readonly stop_job: Empty
  readonly background: JobsData
  readonly get_diff: DiffData
  readonly get_stats: StatsData
  readonly list_sessions: SessionsData
  readonly rename_session: Empty
  readonly remove_session: Empty
  readonly search: SearchData
  readonly shutdown: Empty
}

export type AnyData = Answers[CommandName]

/** An answer without data. */
export type Empty = Readonly<Record<string, never>>

export interface HelloData {
  readonly protocol: number
  readonly version: string
}

export interface PromptData {
  /** The run that it starts; null if a hook handled the message. */
  readonly run: string | null
  /** `queued`: the run starts after the current compaction. */
  readonly disposition: "started" | "queued" | "handled"
}

export interface QueuedData {
  /** The id of the message for `remove_queued` and in `queue_update`. */
  readonly id: string
}

export interface AbortData {
  /** False: there was nothing to stop. */
  readonly stopped: boolean
}

export interface BashData {
  /** The id of its `tool_execution_update` events. */
  readonly toolCallId: string
  readonly status: ToolStatus
  /** Null after a signal, and while it continues in the background. */
  readonly exitCode: number | null
  /** The output as it is sent to the model. */
  readonly output: string
  readonly details: Readonly<Record<string, unknown>> | null
  readonly durationMs: number
  /** The step that contains it. */
  readonly entry: string
}

export interface StateData {
  readonly session: string
  readonly name: string | null
  readonly cwd: string
  readonly workspace: string
  /** The folder of the session; null for a session in memory. */
  readonly tape: string | null
  /** The current step. */
  readonly leaf: string | null
  readonly model: string
  readonly thinking: ThinkingLevel
  readonly contextWindow: number
  readonly tools: readonly string[]
  readonly permission: string
  readonly autoCompaction: boolean
  readonly autoRetry: boolean
  /** The current run. */
  readonly run: string | null
  /** Current work other than a run. */
  readonly working: "bash" | "compaction" | "branch" | null
  readonly steer: readonly QueuedInput[]
  readonly followUp: readonly QueuedInput[]
  /** Open questions, for `permission_reply`. */
  readonly questions: readonly PermissionRequest[]
  /** Open dialogs of tools, for `ui_reply`. */
  readonly dialogs: readonly DialogRequest[]
  /** The to-do list of the model. */
  readonly todos: readonly TodoItem[]
  readonly messages: number
}

export interface RecapData {
  /** Null for a session without a message. */
  readonly recap: Recap | null
}

/** A page ends at `limit` or at half a megabyte. `more`: there are rows after its last one. */
export interface MessagesData {
  readonly messages: readonly { readonly entry: string; readonly message: Message }[]
  readonly more: boolean
}

export interface EntriesData {
  readonly entries: readonly Entry[]
  readonly more: boolean
}

export interface ModelData {
  readonly model: string
  readonly thinking: ThinkingLevel
  readonly contextWindow: number
}

export interface ModelsData {
  readonly models: readonly AvailableModel[]
}

export interface AvailableModel {
  /** `provider/id`, for `set_model`. */
  readonly model: string
  readonly contextWindow: number
  readonly maxOutput: number
  readonly reasoning: boolean
  readonly images: boolean
  /** Absent: unknown. */
  readonly price?: Price
  /** The model is selected. */
  readonly current: boolean
}

export interface CompactData {
  /** `nothing`: there was nothing to replace. */
  readonly status: "done" | "nothing" | "failed" | "cancelled"
  readonly tokensBefore: number
  readonly tokensAfter?: number
  readonly failure?: PublicFailure
}

export interface UndoData {
  readonly restored: readonly string[]
  /** Restored files that keep later changes of others. */
  readonly merged: readonly string[]
  readonly kept: readonly { readonly path: string; readonly reason: string }[]
  /** Files that a command changed, without an earlier copy. */
  readonly lost: readonly string[]
  /** Why the detection of changes by commands was incomplete; null if it was complete. */
  readonly cut: string | null
}

export interface RedoData {
  readonly restored: readonly string[]
  readonly kept: readonly { readonly path: string; readonly reason: string }[]
}

export interface RemovedData {
  readonly removed: readonly QueuedInput[]
}

export interface SwitchData {
  readonly enabled: boolean
}

export interface PermissionData {
  readonly level: string
}

export interface ToolsData {
  readonly tools: readonly string[]
}

/** The `session` event of the opened session precedes this response. */
export interface SessionData {
  readonly session: string
  readonly resumed: boolean
}

/** A segment consists of consecutive entries without a fork. */
export interface TreeData {
  readonly tree: Segment | null
}

export interface LeafData {
  readonly leaf: string | null
  /** With `summarize`: the result of the summary. `interrupted`: the current step has not changed. */
  readonly status?: "done" | "nothing" | "failed" | "interrupted"
  /** The summary of the abandoned branch for the model; "" for none. */
  readonly summary?: string
  readonly failure?: PublicFailure
}

export interface ExportData {
  readonly file: string
  readonly format: "pi" | "markdown"
}

export interface CommandsData {
  readonly commands: readonly {
    readonly name: string
    readonly about: string
    /** The required right. */
    readonly right: Right
    readonly args: Readonly<Record<string, unknown>>
  }[]
  /** Commands of extensions, templates and skills, for prompts of the form `/name`. */
  readonly slash: readonly OtherCommand[]
}

export interface CommandData {
  /** Whole lines for the user. */
  readonly lines: readonly string[]
  /** The same as plain data. */
  readonly data: unknown
  /** The run that it started by sending a message; null for none. */
  readonly run: string | null
}

export interface CompleteData {
  /** At most 200. */
  readonly completions: readonly Completion[]
}

export interface FilesData {
  /** Relative to the working folder; folders end with `/`. */
  readonly paths: readonly string[]
  /** There are more matches. */
  readonly more: boolean
  /** All files were searched. */
  readonly complete: boolean
}

export interface JobsData {
  readonly jobs: readonly { readonly number: number; readonly title: string }[]
}

export interface JobOutputData {
  /** At most 8 KB. */
  readonly output: string
}

export interface DiffData {
  /** The lines of each file are those of a unified diff. */
  readonly files: readonly FileDiff[]
}
