import { englishOf, type Text, type ToolCall, type ToolResultMessage, type ToolStatus } from "@gong/spec"

/** A result from the loop itself, for a call that did not run or did not end by itself. */
export function resultText(call: ToolCall, status: Exclude<ToolStatus, "ok">, text: Text): ToolResultMessage {
  return {
    role: "tool",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: englishOf(text) }],
    ...(typeof text === "object" && { phrase: text }),
    details: null,
    isError: true,
    status,
  }
}
