import type {
  DialogRequest,
  Entry,
  Message,
  PermissionRequest,
  PublicFailure,
  QueuedInput,
  ThinkingLevel,
  TodoItem,
  ToolStatus,
} from "@gong/spec"
import type { Segment } from "@gong/tape"
import type { FileDiff } from "@gong/session/changes/diff"
import type { Completion, OtherCommand } from "../slash/parts.ts"
import type { SearchData, SessionsData, StatsData } from "./stored-data.ts"
import type { CommandName, Right } from "./commands.ts"

/** What each command answers with. Fields are only ever added. */
export interface Answers {
  readonly hello: HelloData
  readonly prompt: PromptData
  readonly steer: QueuedData
  readonly follow_up: QueuedData
  readonly abort: AbortData
  readonly bash: BashData
  readonly get_state: StateData
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
  readonly get_commands: CommandsData
  readonly command: CommandData
  readonly complete: CompleteData
  readonly get_jobs: JobsData
  readonly get_diff: DiffData
  readonly get_stats: StatsData
  readonly list_sessions: SessionsData
  readonly search: SearchData
  readonly shutdown: Empty
}

export type AnyData = Answers[CommandName]

/** Nothing to say beside that it was done. */
export type Empty = Readonly<Record<string, never>>

export interface HelloData {
  readonly protocol: number
  readonly version: string
}

export interface PromptData {
  /** The run that it begins; null when a hook has taken it. */
  readonly run: string | null
  /** `queued`: a compaction works, and the run begins behind it. */
  readonly disposition: "started" | "queued" | "handled"
}

export interface QueuedData {
  /** By which `remove_queued` and `queue_update` name it. */
  readonly id: string
}

export interface AbortData {
  /** False: nothing worked. */
  readonly stopped: boolean
}

export interface BashData {
  /** Its output while it ran came as `tool_execution_update` under this id. */
  readonly toolCallId: string
  readonly status: ToolStatus
  /** Null when a signal ended it, and while it goes on in the background. */
  readonly exitCode: number | null
  /** As the model will see it. */
  readonly output: string
  readonly details: Readonly<Record<string, unknown>> | null
  readonly durationMs: number
  /** The step that holds it. */
  readonly entry: string
}

export interface StateData {
  readonly session: string
  readonly name: string | null
  readonly cwd: string
  readonly workspace: string
  /** The session's folder; null when nothing is stored. */
  readonly tape: string | null
  /** The step at which the session stands. */
  readonly leaf: string | null
  readonly model: string
  readonly thinking: ThinkingLevel
  readonly contextWindow: number
  readonly tools: readonly string[]
  readonly permission: string
  readonly autoCompaction: boolean
  readonly autoRetry: boolean
  /** The run that works. */
  readonly run: string | null
  /** What else works. */
  readonly working: "bash" | "compaction" | "branch" | null
  readonly steer: readonly QueuedInput[]
  readonly followUp: readonly QueuedInput[]
  /** Questions that wait for a `permission_reply`. */
  readonly questions: readonly PermissionRequest[]
  /** Those of tools, that wait for a `ui_reply`. */
  readonly dialogs: readonly DialogRequest[]
  /** What the model has set out to do, as it last said with the tool `todo`. */
  readonly todos: readonly TodoItem[]
  readonly messages: number
}

/** A page ends at `limit` or at half a megabyte; `more` says that there is another one after its last row. */
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
  /** `provider/id`, as `set_model` takes it. */
  readonly model: string
  readonly contextWindow: number
  readonly maxOutput: number
  readonly reasoning: boolean
  readonly images: boolean
  /** It is the one in use. */
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
  /** With what others changed in it since. */
  readonly merged: readonly string[]
  readonly kept: readonly { readonly path: string; readonly reason: string }[]
  /** Changed by a command, without an earlier copy. */
  readonly lost: readonly string[]
  /** Why commands may have changed more than is known; null when nothing is known to be missing. */
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

/** The `session` event of what was opened comes before this response. */
export interface SessionData {
  readonly session: string
  readonly resumed: boolean
}

/** Entries that follow one another without a fork are one segment. */
export interface TreeData {
  readonly tree: Segment | null
}

export interface LeafData {
  readonly leaf: string | null
  /** With `summarize`: what became of it. `interrupted`: the session is where it was. */
  readonly status?: "done" | "nothing" | "failed" | "interrupted"
  /** What the model is told of the branch that was left; "" nothing. */
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
    /** `watch`, `steer`, `approve` or `admin`: what a client must be allowed. */
    readonly right: Right
    readonly args: Readonly<Record<string, unknown>>
  }[]
  /** What a prompt can begin with, as `/name`: of extensions, templates and skills. */
  readonly slash: readonly OtherCommand[]
}

export interface CommandData {
  /** Whole lines for people. */
  readonly lines: readonly string[]
  /** The same as plain data. */
  readonly data: unknown
  /** The run that it began by sending a message; null without one. */
  readonly run: string | null
}

export interface CompleteData {
  /** At most 200. */
  readonly completions: readonly Completion[]
}

export interface JobsData {
  readonly jobs: readonly { readonly number: number; readonly title: string }[]
}

export interface DiffData {
  /** The lines of each file are those of a unified diff. */
  readonly files: readonly FileDiff[]
}
