import type { PermissionLevel } from "../hook/policy.ts"
import type { CallPreview } from "../tool/preview.ts"
import type { Phrase } from "../text/phrase.ts"
import type { Failure } from "../text/failure.ts"
import type { AssistantContent, FileChange, StopReason, ToolStatus, UserContent } from "../model/message.ts"
import type { DialogOutcome, DialogRequest } from "../tool/dialog.ts"
import type { CompactionReason, InputSource } from "../session/entry.ts"
import type { PermissionChoice, PermissionOutcome, QueuedInput } from "../session/step.ts"
import type { RunStatus } from "../session/run.ts"
import type { Usage } from "../model/usage.ts"

/** Version of the event format that every frontend uses (docs/events.md). Fields are only ever added. */
export const protocol = 1

/**
 * An event without the frontend's `seq` and `time`; the projection adds `run` and `entry`. `run` is the id of the input
 * entry that started the run.
 */
export type Event = { readonly run?: string; readonly entry?: string; readonly parent?: string } & (
  | SessionEvent
  | { readonly type: "agent_start"; readonly prompt: string; readonly source: InputSource }
  | { readonly type: "turn_start"; readonly turn: number }
  | {
      readonly type: "message_start"
      readonly message: { readonly id: string; readonly role: "assistant"; readonly model: string }
    }
  | {
      readonly type: "message_update"
      readonly id: string
      readonly kind: "text" | "thinking" | "tool_call"
      readonly index: number
      readonly delta: string
      readonly toolCallId?: string
      readonly name?: string
    }
  | MessageEndEvent
  | {
      readonly type: "tool_execution_start"
      readonly toolCallId: string
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
      readonly title: string
    }
  | { readonly type: "tool_execution_update"; readonly toolCallId: string; readonly delta: string }
  | ToolExecutionEndEvent
  | {
      readonly type: "permission_request"
      readonly id: string
      /** Absent: the question is about the effect of commands, not about one call. */
      readonly toolCallId?: string
      readonly tool: string
      readonly args: Readonly<Record<string, unknown>>
      readonly title: string
      readonly reason: string
      /** The reason as a phrase, if it is Gong's own text; for translation. */
      readonly phrase?: Phrase
      readonly preview?: CallPreview
      readonly choices: readonly PermissionChoice[]
      readonly suggestedRule?: string
      readonly widerRule?: string
      readonly rulesFile?: string
      readonly unsandboxed?: true
      readonly expiresAt?: string
    }
  | {
      readonly type: "permission_end"
      readonly id: string
      readonly choice: PermissionChoice
      readonly by: PermissionOutcome["by"]
    }
  | { readonly type: "permission_level"; readonly level: PermissionLevel }
  | ({ readonly type: "ui_request" } & DialogRequest)
  | ({ readonly type: "ui_end"; readonly id: string } & DialogOutcome)
  | {
      readonly type: "turn_end"
      readonly turn: number
      readonly usage: Usage
      readonly cost: number | null
      readonly contextTokens: number
      readonly contextWindow: number
    }
  | { readonly type: "queue_update"; readonly steer: readonly QueuedInput[]; readonly followUp: readonly QueuedInput[] }
  | {
      readonly type: "retry_start"
      readonly attempt: number
      readonly of: number
      readonly delayMs: number
      readonly failure: PublicFailure
      /** The id of the `message_start` that gets no end. */
      readonly draftId: string
    }
  | { readonly type: "retry_end"; readonly attempt: number; readonly ok: boolean }
  | {
      readonly type: "compaction_start"
      readonly reason: CompactionReason
      /** Size of the context: the provider's count, plus an estimate of everything after it. */
      readonly tokens: number
    }
  | {
      readonly type: "compaction_end"
      readonly status: "done" | "failed" | "cancelled" | "nothing"
      readonly tokensBefore: number
      /** With `done`. */
      readonly tokensAfter?: number
      readonly summary?: string
      readonly failure?: PublicFailure
    }
  | { readonly type: "model_select"; readonly model: string; readonly reason: "user" | "fallback" }
  | {
      readonly type: "notice"
      readonly level: "info" | "warn"
      readonly code: string
      readonly text: string
      /** The same text as a phrase, if it is Gong's own; for translation. */
      readonly phrase?: Phrase
    }
  | { readonly type: "failure"; readonly failure: PublicFailure }
  | { readonly type: "agent_end"; readonly status: RunStatus }
  | ResultEvent
)

/** A failure for programs, without its cause, which may hold private data. */
export type PublicFailure = Omit<Failure, "cause">

export interface SessionEvent {
  readonly type: "session"
  readonly protocol: typeof protocol
  readonly version: string
  readonly id: string
  readonly cwd: string
  readonly workspace: string
  /** Folder of the tape; null if nothing is stored. */
  readonly tape: string | null
  readonly model: string
  readonly thinking: string
  readonly tools: readonly string[]
  readonly permission: string
  readonly sandbox: { readonly mode: string; readonly enforced: readonly string[]; readonly reason?: string }
  readonly trusted: boolean
  readonly resumed: boolean
  readonly name?: string
  readonly forkOf?: string
}

export interface MessageEndEvent {
  readonly type: "message_end"
  readonly message: {
    readonly id: string
    readonly role: "user" | "assistant"
    readonly content: readonly (UserContent | AssistantContent)[]
    readonly model?: string
    readonly stopReason?: StopReason
  }
  readonly usage?: Usage
  readonly cost?: number | null
  /** In yuan, beside `cost`, if the price list is in yuan. */
  readonly costCny?: number
  readonly durationMs?: number
  readonly firstTokenMs?: number
}

export interface ToolExecutionEndEvent {
  readonly type: "tool_execution_end"
  readonly toolCallId: string
  readonly name: string
  readonly status: ToolStatus
  readonly content: readonly UserContent[]
  readonly details: Readonly<Record<string, unknown>> | null
  readonly files?: readonly FileChange[]
  readonly durationMs: number
}

export interface ResultEvent {
  readonly type: "result"
  readonly status: RunStatus
  readonly exit: number
  readonly text: string
  readonly structured?: unknown
  readonly failure?: PublicFailure
  readonly limit?: string
  readonly session: string
  readonly turns: number
  readonly toolCalls: number
  readonly usage: Usage
  readonly cost: number | null
  readonly costCny?: number
  /** Share of the sent tokens that the provider read from its cache, 0 to 1; null if nothing was counted. */
  readonly cacheHitRate: number | null
  readonly models: Readonly<Record<string, { readonly usage: Usage; readonly cost: number | null }>>
  readonly files: readonly FileChange[]
  readonly denials: readonly {
    readonly tool: string
    readonly args: Readonly<Record<string, unknown>>
    readonly reason: string
    /** The reason as a phrase, if it is Gong's own text; for translation. */
    readonly phrase?: Phrase
  }[]
  readonly durationMs: number
}

export function publicFailure(failure: Failure): PublicFailure {
  const { cause: _, ...rest } = failure
  return rest
}
