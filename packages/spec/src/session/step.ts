import type { PermissionLevel } from "../hook/policy.ts"
import type { CallPreview } from "../tool/preview.ts"
import type { DialogEndNotification, DialogRequestNotification } from "../tool/dialog.ts"
import type { CompactionReason, Entry, NewEntry } from "./entry.ts"
import type { Failure } from "../text/failure.ts"
import type { AssistantMessage, ModelRef } from "../model/message.ts"
import { englishOf, type Phrase, type Text } from "../text/phrase.ts"

/**
 * Yielded by the loop, in order (engine D1). Entries are stored before the next step is pulled; partials and notifications are
 * shown and never stored, and no fold depends on them.
 */
export type Step =
  | { readonly entries: readonly NewEntry[] }
  | { readonly partial: PartialUpdate }
  | { readonly notification: Notification }

/** The same step for subscribers: its entries have ids and parents. */
export type PublishedStep =
  | { readonly entries: readonly Entry[] }
  | { readonly partial: PartialUpdate }
  | { readonly notification: Notification }
  /** Step of a subtask session; `inside` is the id of the call. */
  | { readonly inside: string; readonly step: PublishedStep }

/** An update of an entry that is still streaming. `index` is the block in the reply's content. */
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
  /** Live view of the arguments so far. Not enumerable and parsed only on access, so that JSON lines stay linear. */
  readonly partialArgs?: Readonly<Record<string, unknown>>
}

/** A message for the user, never for the model. */
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
      /** The reply that began and will not end; its display is discarded. */
      readonly draftId: string
    }
  | { readonly code: "retry_end"; readonly attempt: number; readonly ok: boolean }
  | { readonly code: "compaction_start"; readonly reason: CompactionReason; readonly tokens: number }
  /** Only for a compaction without a result; a result is an entry. */
  | {
      readonly code: "compaction_end"
      readonly status: "failed" | "cancelled" | "nothing"
      readonly tokensBefore: number
      readonly failure: Failure
    }
  /** The level has changed. */
  | { readonly code: "permission_level"; readonly level: PermissionLevel }
  | { readonly code: "queue"; readonly steer: readonly QueuedInput[]; readonly followUp: readonly QueuedInput[] }
  | { readonly code: "failure"; readonly failure: Failure }

/** A notification with English text, and with its phrase if there is one. */
export function textNotification(code: NotificationCode, level: "info" | "warn", text: Text): Notification {
  return { code, level, text: englishOf(text), ...(typeof text === "object" && { phrase: text }) }
}

type TextNotification = Extract<Notification, { readonly code: NotificationCode }>

export function isTextNotification(notification: Notification): notification is TextNotification {
  return "level" in notification && "text" in notification
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
  | "mcp"
  | "model-server"
  | "settings"
  | "skill"
  | "extension"
  | "command"

export interface PermissionRequest {
  readonly id: string
  /** Absent: the question is about the effect of commands, not about one call. */
  readonly toolCallId?: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly title: string
  readonly reason: string
  /** The reason as a phrase, if it is Gong's own text; for translation. */
  readonly phrase?: Phrase
  /** What the call would do. Absent: only its arguments are known. */
  readonly preview?: CallPreview
  /** Possible answers; "always" only with `suggestedRule`. */
  readonly choices: readonly PermissionChoice[]
  /** The rule for this file, command or host alone. Without it "session" allows exactly this call. */
  readonly suggestedRule?: string
  /** A rule that covers more, for an answer "session" or "always" with `wider`. */
  readonly widerRule?: string
  /** The file in which "always" stores the rule. */
  readonly rulesFile?: string
  /** Approval lets it run outside the available sandbox. */
  readonly unsandboxed?: true
  /** ISO 8601, UTC. Unanswered by then, it counts as a no. Absent: it waits until it is answered or the run is stopped. */
  readonly expiresAt?: string
}

export interface PermissionRequestNotification extends PermissionRequest {
  readonly code: "permission_request"
}

export interface PermissionAnswer {
  readonly choice: PermissionChoice
  /** With "session" or "always": allows by `widerRule` in place of `suggestedRule`. */
  readonly wider?: true
  /** The user's comment with a no. */
  readonly message?: string
}

/** How a question ended, and by what; `mode` is a change of the permission level. Stopping the run answers no. */
export interface PermissionOutcome extends PermissionAnswer {
  readonly by: "user" | "rule" | "timeout" | "mode"
}

/** Open from its creation on: it may be answered before it is shown. */
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

/** The reply so far, as shown until its entry replaces it. */
export interface LiveReply {
  readonly draftId: string
  readonly model: ModelRef
  readonly content: readonly LiveContent[]
}

export type LiveContent =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly argsText: string }

/** Applies one partial to the live reply; `progress` belongs to a running tool and changes nothing here. */
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

/** Outcome of one request to a model: the return value of a provider's stream. */
export type Reply =
  | { readonly ok: true; readonly message: AssistantMessage }
  /** `partial`: the content so far, null for none; without calls that were cut. */
  | { readonly ok: false; readonly failure: Failure; readonly partial: AssistantMessage | null }
