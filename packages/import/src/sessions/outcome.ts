import type { ConversationCounts } from "./conversation.ts"

/** The outcome of one conversation. */
export interface SessionOutcome extends ConversationCounts {
  readonly state: "import" | "present" | "skipped"
  /** Null for a file without a conversation of its own. */
  readonly id: string | null
  readonly file: string
  readonly cwd: string | null
  readonly title: string | null
  /** ISO 8601; null without messages. */
  readonly created: string | null
  readonly untaken: Readonly<Record<string, number>>
  readonly reason: "unreadable" | "sub-agent" | "empty" | "invalid" | null
}
