import { type AssistantMessage, type Notification, textNotification, textOf } from "@gong/spec"
import * as texts from "./texts.ts"

/** A notification for a final reply without text and calls; null for any other reply. */
export function emptyReplyNotification(message: AssistantMessage): Notification | null {
  if (message.stopReason !== "stop" || textOf(message).trim() !== "") return null
  const thought = message.content.some(({ type }) => type === "thinking")
  return textNotification("no-answer", "warn", thought ? texts.reasoningOnly : texts.emptyReply)
}
