import { type AssistantMessage, type Message, noUsage, type ToolResultMessage, userText } from "@gong/spec"

/** Messages for tests, each with a size in estimated tokens where that matters. */
export const words = (tokens: number): string => "word".repeat(tokens)

export const user = (text: string): Message => userText(text)

export function reply(
  text: string,
  calls: readonly { id: string; name: string; args?: object }[] = [],
): AssistantMessage {
  return {
    role: "assistant",
    content: [
      ...(text === "" ? [] : [{ type: "text", text } as const]),
      ...calls.map(({ id, name, args = {} }) => ({ type: "tool_call" as const, id, name, arguments: { ...args } })),
    ],
    model: { provider: "p", id: "m", api: "x" },
    stopReason: calls.length > 0 ? "tool_calls" : "stop",
    usage: noUsage,
    cost: 0,
  }
}

export function result(id: string, text: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return {
    role: "tool",
    toolCallId: id,
    toolName: "read",
    content: [{ type: "text", text }],
    details: null,
    isError: false,
    status: "ok",
    ...more,
  }
}

/** So many questions and answers, each of about this many tokens. */
export function talk(messages: number, tokens: number): readonly Message[] {
  return Array.from({ length: messages }, (_, at) =>
    at % 2 === 0 ? user(`${at} ${words(tokens)}`) : reply(`${at} ${words(tokens)}`),
  )
}
