import type { Message } from "@gong/spec"
import type { Conversation } from "../../src/sessions/conversation.ts"

/** A conversation as lines: the number of each step and of the one before it, its role and its blocks. */
export function outlineOf({ steps }: Pick<Conversation, "steps">): readonly string[] {
  const keys = steps.map(({ key }) => key)
  return steps.map(
    ({ parent, message }, at) => `${parent === null ? "-" : keys.indexOf(parent)}>${at} ${blocksOf(message)}`,
  )
}

function blocksOf(message: Message): string {
  const blocks = message.content.map((block) => {
    if (block.type === "text") return block.text
    if (block.type === "image") return `[${block.mimeType} ${block.data}]`
    if (block.type === "thinking") return `(${block.text})`
    return `${block.name}#${block.id}${JSON.stringify(block.arguments)}`
  })
  const role =
    message.role === "tool"
      ? `${message.isError ? "error" : "result"} ${message.toolName}#${message.toolCallId}`
      : message.role
  return `${role}: ${blocks.join(" | ")}`
}

export const linesOf = (...lines: readonly unknown[]): string =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
