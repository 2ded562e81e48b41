import { type AssistantMessage, type Notification, textNotification, textOf } from "@gong/spec"
import * as texts from "./texts.ts"

/** What the user is told of a reply without calls that is over and says nothing: else a run ends and nobody knows why. */
export function emptyReplyNotification(message: AssistantMessage): Notification | null {
  if (message.stopReason !== "stop" || textOf(message).trim() !== "") return null
  const thought = message.content.some(({ type }) => type === "thinking")
  return textNotification("no-answer", "warn", thought ? texts.reasoningOnly : texts.emptyReply)
}
