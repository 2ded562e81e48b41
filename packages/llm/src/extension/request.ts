import type { Message, Model } from "@gong/spec"
import type { BodyFormat } from "../protocol/request/body.ts"
import { type HistoryBlock, readTurn } from "../protocol/request/history.ts"

/** `ModelRequest` of the extensions' API, as JSON. */
export const format: BodyFormat = {
  marksCache: false,
  head: ({ model }) => `{"model":${JSON.stringify(model.wireId ?? model.id)},"messages":[`,
  part(group, _variant, { model, withoutThinking }) {
    return messagesOf(group, model, withoutThinking)
      .map((message) => JSON.stringify(message))
      .join(",")
  },
  tail({ model, system, tools, thinking, sessionId }) {
    const toolSpecs = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
    const rest = { system, tools: toolSpecs, thinking, maxOutput: model.maxOutput, sessionId: sessionId ?? null }
    return `],${JSON.stringify(rest).slice(1)}`
  },
}

/** Accepted by all servers; an extension with a stricter server converts the ids itself. */
const idRule = { bad: /[^a-zA-Z0-9_-]/g, max: 64 }

function messagesOf(group: readonly Message[], model: Model, withoutThinking: boolean): object[] {
  const turn = readTurn(group, model, idRule, withoutThinking)
  const messages: object[] = []
  if (turn.blocks.length > 0) messages.push({ role: "assistant", content: turn.blocks.map(blockOf) })
  for (const { id, name, content, isError } of turn.results)
    messages.push({ role: "tool", toolCallId: id, toolName: name, content, isError })
  for (const content of turn.users) messages.push({ role: "user", content })
  return messages
}

function blockOf(block: HistoryBlock): object {
  if (block.type !== "call") return block
  const { id, name, arguments: args } = block
  return { type: "tool_call", id, name, arguments: args }
}
