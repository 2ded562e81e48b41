import { type AssistantContent, deepFreeze, type Message, textOf, type ToolResultMessage } from "@gong/spec"
import { writeEnvelope } from "./envelope.ts"

/** Rewrites messages for a model without tools: calls and answers as envelopes, results as messages of the user. */
export type Rewrite = (messages: readonly Message[]) => readonly Message[]

/** The same message gives the same object, so that each is serialized once. */
export function rewriter(): Rewrite {
  const known = new WeakMap<Message, Message>()
  const rewritten = (message: Message): Message => {
    const before = known.get(message)
    if (before !== undefined) return before
    const made = deepFreeze(rewrite(message))
    known.set(message, made)
    return made
  }
  return (messages) => messages.map(rewritten)
}

function rewrite(message: Message): Message {
  if (message.role === "user") return message
  if (message.role === "tool")
    return { role: "user", content: [{ type: "text", text: headOf(message) }, ...message.content] }
  const thinking = message.content.filter(({ type }) => type === "thinking")
  return { ...message, content: [...thinking, ...envelopesIn(message.content)] }
}

function headOf({ toolName, isError }: ToolResultMessage): string {
  return isError ? `The call of ${toolName} failed:` : `Result of ${toolName}:`
}

/** Text beside calls is left out, since a reply is one object. */
function envelopesIn(content: readonly AssistantContent[]): AssistantContent[] {
  const calls = content.filter((block) => block.type === "tool_call")
  const written = calls.map((call) => writeEnvelope({ call }))
  if (written.length > 0) return [{ type: "text", text: written.join("\n") }]
  const answer = textOf({ content })
  return answer === "" ? [] : [{ type: "text", text: writeEnvelope({ answer }) }]
}
