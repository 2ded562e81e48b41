import type { DialogEndNotification, DialogRequestNotification } from "./dialog.ts"
import type { CompactionReason, Entry, NewEntry } from "./entry.ts"
import type { Failure } from "./failure.ts"
import type { AssistantMessage, ModelRef } from "./message.ts"
import { englishOf, type Phrase, type Text } from "./phrase.ts"

/**
 * What the loop yields, one after the other (engine D1). Entries are on the disk before the next step is pulled;
 * partials and notifications are shown and never stored, and no fold depends on them.
 */
export type Step =
  | { readonly entries: readonly NewEntry[] }
  | { readonly partial: PartialUpdate }
  | { readonly notification: Notification }

/** The same step as subscribers get it: its entries have their places on the tape. */
export type PublishedStep =
  | { readonly entries: readonly Entry[] }
  | { readonly partial: PartialUpdate }
  | { readonly notification: Notification }
  /** Of a session that works for the call of this id. */
  | { readonly inside: string; readonly step: PublishedStep }

/** A piece of an entry that is still streaming. `index` is the block in the reply's content. */
export type PartialUpdate =
  | { readonly type: "start"; readonly draftId: string; readonly model: ModelRef }
  | { readonly type: "text"; readonly index: number; readonly delta: string }
  | { readonly type: "thinking"; readonly index: number; readonly delta: string }
  | { readonly type: "call"; readonly index: number; readonly id: string; readonly name: string }
  | PartialArguments
  | { readonly type: "progress"; readonly callId: string; readonly delta: string }
  | { readonly type: "discard"; readonly draftId: string }

export interface PartialArguments {
  readonly type: "args"
  readonly index: number
  readonly delta: string
  /** Live view of the arguments so far. Not enumerable and parsed only when read, so that JSON lines stay linear. */
  readonly partialArgs?: Readonly<Record<string, unknown>>
}

/** Said to the user, never to the model. */
export type Notification =
  | {
      readonly code: NotificationCode
      readonly level: "info" | "warn"
      readonly text: string
      readonly phrase?: Phrase
    }
  | PermissionRequestNotification
  | PermissionEndNotification
  | DialogRequestNotification
  | DialogEndNotification
  | {
      readonly code: "retry_start"
      readonly attempt: number
      readonly of: number
      readonly delayMs: number
      readonly failure: Failure
      /** The reply that began and will not end: what was shown of it is dropped. */
      readonly draftId: string
    }
  | { readonly code: "retry_end"; readonly attempt: number; readonly ok: boolean }
  | { readonly code: "compaction_start"; readonly reason: CompactionReason; readonly tokens: number }
  /** Only of one that came to nothing; what one came to is an entry. */
  | {
      readonly code: "compaction_end"
      readonly status: "failed" | "cancelled" | "nothing"
      readonly tokensBefore: number
      readonly failure: Failure
    }
  | { readonly code: "queue"; readonly steer: readonly QueuedInput[]; readonly followUp: readonly QueuedInput[] }
  | { readonly code: "failure"; readonly failure: Failure }

/** A notification with its text in English, and as a phrase where it is one. */
export function textNotification(code: NotificationCode, level: "info" | "warn", text: Text): Notification {
  return { code, level, text: englishOf(text), ...(typeof text === "object" && { phrase: text }) }
}

export interface QueuedInput {
  readonly id: string
  readonly text: string
}

/** Closed and documented in docs/events.md. */
export type NotificationCode =
  | "sandbox-off"
  | "behind"
  | "not-trusted"
  | "hook"
  | "hook-error"
  | "storage"
  | "undo"
  | "turns"
  | "repeat"
  | "cost"
  | "no-answer"
  | "waiting"
  | "pruned"
  | "branch"
  | "recording"
  | "context-file"
  | "session-repaired"
  | "model-choice"
  | "settings"
  | "skill"
  | "extension"
  | "command"

export interface PermissionRequest {
  readonly id: string
  /** Absent: it is about what commands do, and not about one call. */
  readonly toolCallId?: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly title: string
  readonly reason: string
  /** The reason for a reader of another language, where it is Gong's own. */
  readonly phrase?: Phrase
  /** What may be answered: "always" only where there is a rule to keep. */
  readonly choices: readonly PermissionChoice[]
  readonly suggestedRule?: string
  /** A yes lets it run outside the sandbox that there is. */
  readonly unsandboxed?: true
  /** ISO 8601, UTC: unanswered until then, it counts as a no. Absent: it waits until it is answered or the run is stopped. */
  readonly expiresAt?: string
}

export interface PermissionRequestNotification extends PermissionRequest {
  readonly code: "permission_request"
}

export interface PermissionAnswer {
  readonly choice: PermissionChoice
  /** What the person said with a no. */
  readonly message?: string
}

/** How a question ended, and what ended it; `mode` is a change of the level. Who stops the run answers no. */
export interface PermissionOutcome extends PermissionAnswer {
  readonly by: "user" | "rule" | "timeout" | "mode"
}

/** A question that is open from the moment it is made: it may be answered before anybody has been shown it. */
export interface PermissionQuestion {
  readonly expiresAt?: string
  /** Never rejects. */
  readonly answer: Promise<PermissionOutcome>
}

export interface PermissionEndNotification {
  readonly code: "permission_end"
  readonly id: string
  readonly choice: PermissionChoice
  readonly by: PermissionOutcome["by"]
}

export type PermissionChoice = "once" | "session" | "always" | "no"

/** The reply as far as it has streamed: what a screen shows until its entry replaces it. */
export interface LiveReply {
  readonly draftId: string
  readonly model: ModelRef
  readonly content: readonly LiveContent[]
}

export type LiveContent =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly argsText: string }

/** Folds one partial into the live reply; `progress` belongs to a running tool and changes nothing here. */
export function foldPartial(live: LiveReply | null, partial: PartialUpdate): LiveReply | null {
  if (partial.type === "start") return { draftId: partial.draftId, model: partial.model, content: [] }
  if (partial.type === "discard") return live?.draftId === partial.draftId ? null : live
  if (partial.type === "progress" || live === null) return live
  const content = live.content.slice()
  const old = content[partial.index]
  switch (partial.type) {
    case "text":
    case "thinking":
      content[partial.index] = { type: partial.type, text: (old && "text" in old ? old.text : "") + partial.delta }
      break
    case "call":
      content[partial.index] = { type: "tool_call", id: partial.id, name: partial.name, argsText: "" }
      break
    case "args":
      if (old?.type === "tool_call") content[partial.index] = { ...old, argsText: old.argsText + partial.delta }
      break
  }
  return { ...live, content }
}

/** What one request to a model came to. The last value of a provider's stream. */
export type Reply =
  | { readonly ok: true; readonly message: AssistantMessage }
  /** `partial` holds what had arrived, null when nothing had; calls that were cut are not in it. */
  | { readonly ok: false; readonly failure: Failure; readonly partial: AssistantMessage | null }
