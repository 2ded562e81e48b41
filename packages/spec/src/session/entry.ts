import type { Failure } from "../text/failure.ts"
import type { FileChange, ImageContent, Message, UserContent } from "../model/message.ts"
import type { RunStatus } from "./run.ts"
import type { ThinkingLevel } from "../model/thinking.ts"
import type { SeenFile } from "../model/seen.ts"
import type { Usage } from "../model/usage.ts"

/** The leading fields of every line on the tape, in this order (design section 3). */
export interface EntryHead {
  /** 12 characters of Crockford base32, lower case. */
  readonly id: string
  readonly parentId: string | null
  readonly type: string
  /** ISO 8601, UTC, milliseconds. */
  readonly timestamp: string
}

export type InputKind = "prompt" | "steer" | "follow_up"
export type InputSource = "user" | "follow_up" | "retry" | "api"

export interface MessageBody {
  readonly type: "message"
  readonly message: Message
  /** The input entry that this user message came from. */
  readonly inputId?: string
  /** The streamed reply that this message replaces on the screen. */
  readonly draftId?: string
}

/** A prompt, steer or follow-up. It is durable before the sender gets an answer, and pending until a message or a drop names it. */
export interface InputBody {
  readonly type: "input"
  readonly kind: InputKind
  readonly text: string
  readonly images?: readonly ImageContent[]
  readonly source: InputSource
  /** Files whose content is in the text or among the images; the model has seen them. */
  readonly seen?: readonly SeenFile[]
  /** For a steer: stop the running tool, or let it finish. */
  readonly when?: "now" | "after-tool"
}

export interface InputDropBody {
  readonly type: "input_drop"
  readonly inputId: string
  readonly reason: string
}

/** Written before the tool runs. After a crash a start without a result means that the tool may have taken partial effect. */
export interface ToolStartBody {
  readonly type: "tool_start"
  readonly callId: string
  readonly name: string
  /** One line for people. */
  readonly title: string
  /** Present only if they differ from the model's arguments: spellings mapped, values converted, or replaced by a gate. */
  readonly arguments?: Readonly<Record<string, unknown>>
}

export interface RunEndBody {
  readonly type: "run_end"
  readonly status: RunStatus
  readonly turns: number
  readonly failure?: Failure
  readonly limit?: string
}

/** A file as it was before a call changed it. */
export interface ChangeBody {
  readonly type: "change"
  readonly callId: string
  readonly path: string
  /** `sha256-<hex>` of the content; null if the file did not exist; `noCopy` if the earlier content is unknown. */
  readonly before: string | null
  /** The content itself if it is short text; otherwise it is in the artifact that `before` names. */
  readonly beforeText?: string
  /** SHA-256 (hex) of the bytes that the call writes; null if it deletes the file. */
  readonly after: string | null
  /** Present only for a command's change that was detected afterwards; no result reports it. */
  readonly file?: FileChange
  /** The change comes from an imported file. Its origin is unverified, so undo skips it. */
  readonly imported?: true
}

/** Marks a missing copy: a command changed the file, and its earlier content is unknown. */
export const noCopy = "none"

/** System prompt and tool list as sent, stored as an artifact. */
export interface PromptBody {
  readonly type: "prompt"
  readonly artifact: string
}

/** A request that left no message: a failed attempt or a summary. */
export interface ModelCallBody {
  readonly type: "model_call"
  readonly purpose: "turn" | "compaction" | (string & {})
  /** `provider/id`, if it differs from the current model. */
  readonly model?: string
  readonly usage: Usage
  readonly cost: number | null
  /** The cost in yuan; absent if the price list is not in yuan. */
  readonly costCny?: number
  readonly failure?: Failure
}

export interface ThinkingLevelChangeBody {
  readonly type: "thinking_level_change"
  readonly thinkingLevel: ThinkingLevel
}

export interface ModelChangeBody {
  readonly type: "model_change"
  readonly provider: string
  readonly modelId: string
  /** An automatic change: the models before it failed. */
  readonly reason?: "fallback"
}

export type CompactionReason = "limit" | "overflow" | "manual"

export interface CompactionBody {
  readonly type: "compaction"
  /** As the model sees it: the text of the summarizing model, followed by the state that Gong carries over. */
  readonly summary: string
  readonly firstKeptEntryId: string
  /** Context tokens before and after; an estimate where the provider gave no count. */
  readonly tokensBefore: number
  readonly tokensAfter?: number
  readonly reason?: CompactionReason
  /** State that the next compaction takes over unchanged. */
  readonly carried?: Carried
  /** Ids of calls that left the context; no later call may reuse one. */
  readonly callIds?: readonly string[]
}

/** State that Gong carries from one summary to the next, independent of the summarizing model. */
export interface Carried {
  /** Paths as the calls named them, oldest first. A changed file is listed only in `changed`. */
  readonly read: readonly string[]
  readonly changed: readonly string[]
  /** Locations of the skills that were read or called. */
  readonly skills: readonly string[]
  /** The latest to-do list. */
  readonly todo: string | null
  /** The user's request, if the summary ends before the work on it is done. */
  readonly request: string | null
}

/** From here on old tool results are sent shortened; the tape keeps them whole. */
export interface PruneBody {
  readonly type: "prune"
  /** The last entry whose results are shortened; null for none. */
  readonly upTo: string | null
  /** Characters kept of each longer result. */
  readonly chars: number
  /** Results that stay whole: the text of a skill in use. */
  readonly whole?: readonly string[]
  /** Entries with the text of a skill no longer in use, and the line that replaces it. */
  readonly skills?: readonly { readonly id: string; readonly line: string }[]
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export interface BranchSummaryBody {
  readonly type: "branch_summary"
  /** The leaf of the previous branch. */
  readonly fromId: string
  readonly summary: string
}

/** State of an extension; never part of the model's context. */
export interface CustomBody {
  readonly type: "custom"
  readonly customType: string
  readonly data: unknown
}

/** A message of an extension; the model's context has it as user text. */
export interface CustomMessageBody {
  readonly type: "custom_message"
  readonly customType: string
  readonly content: readonly UserContent[]
  readonly display: boolean
  readonly details?: unknown
}

export interface LabelBody {
  readonly type: "label"
  readonly targetId: string
  readonly label: string | null
}

export interface SessionInfoBody {
  readonly type: "session_info"
  readonly name: string
}

/** First line of each phase folder. */
export interface AnchorBody {
  readonly type: "anchor"
  readonly name: string
  readonly seq: number
  /** Summary of the previous phase, for people and for later work. */
  readonly summary?: string
}

export type EntryBody =
  | MessageBody
  | InputBody
  | InputDropBody
  | ToolStartBody
  | RunEndBody
  | ChangeBody
  | PromptBody
  | ModelCallBody
  | ThinkingLevelChangeBody
  | ModelChangeBody
  | CompactionBody
  | PruneBody
  | BranchSummaryBody
  | CustomBody
  | CustomMessageBody
  | LabelBody
  | SessionInfoBody
  | AnchorBody

export type EntryType = EntryBody["type"]

/** One line on the tape; immutable. */
export type Entry = EntryHead & EntryBody

export type EntryOf<T extends EntryType> = EntryHead & Extract<EntryBody, { type: T }>

/** An entry without the head that the tape assigns. */
export type NewEntry = EntryBody

/**
 * When an entry becomes durable: `before` it counts, for acknowledgements, ends and announced effects; `behind` it,
 * shortly after, while the run continues; `later`, with the next sync.
 */
export type SyncTime = "before" | "behind" | "later"

export function syncTime(entry: NewEntry, readOnly: (tool: string) => boolean): SyncTime {
  switch (entry.type) {
    case "input":
    case "input_drop":
    case "change":
    case "compaction":
    case "anchor":
    case "run_end":
      return "before"
    case "tool_start":
      return readOnly(entry.name) ? "later" : "before"
    case "message":
      return "behind"
    case "prompt":
    case "prune":
    case "model_call":
    case "thinking_level_change":
    case "model_change":
    case "branch_summary":
    case "custom":
    case "custom_message":
    case "label":
    case "session_info":
      return "later"
  }
}
