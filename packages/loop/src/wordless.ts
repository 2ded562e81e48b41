import { type AssistantMessage, type Notice, textNotice, textOf } from "@gong/spec"
import * as texts from "./texts.ts"

/** What the user is told of a reply without calls that is over and says nothing: else a run ends and nobody knows why. */
export function wordless(message: AssistantMessage): Notice | null {
  if (message.stopReason !== "stop" || textOf(message).trim() !== "") return null
  const thought = message.content.some(({ type }) => type === "thinking")
  return textNotice("no-answer", "warn", thought ? texts.onlyThought : texts.withoutWord)
}
