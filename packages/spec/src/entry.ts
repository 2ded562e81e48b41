import type { Failure } from "./failure.ts"
import type { FileChange, ImageContent, Message, UserContent } from "./message.ts"
import type { RunStatus } from "./run.ts"
import type { ThinkingLevel } from "./thinking.ts"
import type { SeenFile } from "./seen.ts"
import type { Usage } from "./usage.ts"

/** The fields that every line on the tape begins with, in this order (design section 3). */
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
  /** The input that this user message was injected from. */
  readonly inputId?: string
  /** The partial that this reply replaces on the screen. */
  readonly draftId?: string
}

/** An acknowledged prompt, steer or follow-up: on the disk before the sender is answered, pending until a message or a drop names it. */
export interface InputBody {
  readonly type: "input"
  readonly kind: InputKind
  readonly text: string
  readonly images?: readonly ImageContent[]
  readonly source: InputSource
  /** Files that stand in the text or among the images: the model looks at them with it. */
  readonly seen?: readonly SeenFile[]
  /** For a steer: stop the running tool, or let it finish. */
  readonly when?: "now" | "after-tool"
}

export interface InputDropBody {
  readonly type: "input_drop"
  readonly inputId: string
  readonly reason: string
}

/** Written before the tool runs: after a crash, a start without a result says that something may have half happened. */
export interface ToolStartBody {
  readonly type: "tool_start"
  readonly callId: string
  readonly name: string
  /** One line for people. */
  readonly title: string
  /** Only when they differ from the model's: spellings mapped, values converted or replaced by a gate. */
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
  /** `sha256-<hex>` of the content, null when the file did not exist, `noCopy` when what was there is not known. */
  readonly before: string | null
  /** The content itself where it is short text; otherwise it is the artifact that `before` names. */
  readonly beforeText?: string
  /** SHA-256 (hex) of the bytes that the call writes, null when it deletes. */
  readonly after: string | null
  /** Only where a command did it and it was found afterwards: no result says so. */
  readonly file?: FileChange
  /** It stood in a file that was imported: nobody knows that it was made here, and undo leaves it alone. */
  readonly imported?: true
}

/** Stands for the earlier content of a file that a command changed and of which there is no copy. */
export const noCopy = "none"

/** System prompt and tool list as they are sent, kept as an artifact. */
export interface PromptBody {
  readonly type: "prompt"
  readonly artifact: string
}

/** A request that left no message: a failed attempt, a summary. */
export interface ModelCallBody {
  readonly type: "model_call"
  readonly purpose: "turn" | "compaction" | (string & {})
  /** `provider/id`, where it is not the model in use. */
  readonly model?: string
  readonly usage: Usage
  readonly cost: number | null
  /** What the list in yuan charged; absent where the list is not in yuan. */
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
  /** Nobody chose it: those before it could not be asked. */
  readonly reason?: "fallback"
}

export type CompactionReason = "limit" | "overflow" | "manual"

export interface CompactionBody {
  readonly type: "compaction"
  /** As the model sees it: what a model wrote, and behind it what Gong itself carries over. */
  readonly summary: string
  readonly firstKeptEntryId: string
  /** Tokens of the context before and after; of what the provider did not count an estimate. */
  readonly tokensBefore: number
  readonly tokensAfter?: number
  readonly reason?: CompactionReason
  /** What the next compaction takes over as it is. */
  readonly carried?: Carried
  /** Of the calls that are gone from the context: no later call may have one of these ids. */
  readonly callIds?: readonly string[]
}

/** What Gong itself carries from one summary to the next, so that no model can forget it. */
export interface Carried {
  /** Paths as the calls named them, oldest first; what was changed stands only there. */
  readonly read: readonly string[]
  readonly changed: readonly string[]
  /** Places of the skills that were read or called. */
  readonly skills: readonly string[]
  /** The list of things to do, as it last stood. */
  readonly todo: string | null
  /** What the user asked, where the summary ends in the middle of the work on it. */
  readonly request: string | null
}

/** From here on the model sees old results of tools shortened: what the tape holds of them stays whole. */
export interface PruneBody {
  readonly type: "prune"
  /** The last entry whose results are shortened; null: none is. */
  readonly upTo: string | null
  /** Characters that remain of each longer result. */
  readonly chars: number
  /** Results that stay whole all the same: the text of a skill that is in use. */
  readonly whole?: readonly string[]
  /** Entries with the text of a skill that is in use no more, and the line that stands for it. */
  readonly skills?: readonly { readonly id: string; readonly line: string }[]
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export interface BranchSummaryBody {
  readonly type: "branch_summary"
  /** The leaf of the branch that was left. */
  readonly fromId: string
  readonly summary: string
}

/** State of an extension; never in the model's context. */
export interface CustomBody {
  readonly type: "custom"
  readonly customType: string
  readonly data: unknown
}

/** A message of an extension; in the model's context as the user's text. */
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
  /** What the phase before it came to, for people and for whoever goes on. */
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

/** One line on the tape, never changed once written. */
export type Entry = EntryHead & EntryBody

export type EntryOf<T extends EntryType> = EntryHead & Extract<EntryBody, { type: T }>

/** An entry before the tape gives it its place. */
export type NewEntry = EntryBody

/**
 * When an entry is made to survive a power cut: `before` it counts, because it is an acknowledgement, an end, or
 * announces an effect; `behind` it, in the moment after, while the run goes on; or with whatever is synced next.
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
