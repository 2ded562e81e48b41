import { isRecord, parseJson, type ToolCall, type ToolSpec } from "@gong/spec"

/** What the model may reply: one JSON object that is an answer or a call. */
export type Enveloped = { readonly answer: string } | { readonly call: Pick<ToolCall, "name" | "arguments"> }

/** The `response_format` that makes the server's grammar produce nothing else (OpenAI's structured outputs). */
export function responseFormat(tools: readonly ToolSpec[]): object {
  const schema = { anyOf: [objectOf({ answer: { type: "string" } }), ...tools.map(callSchema)] }
  return { type: "json_schema", json_schema: { name: "reply", strict: true, schema } }
}

function callSchema({ name, parameters }: ToolSpec): object {
  return objectOf({ tool: { const: name }, arguments: parameters })
}

function objectOf(properties: Readonly<Record<string, unknown>>): object {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false }
}

/** The part of the system prompt that describes the tools. */
export function toolsPrompt(tools: readonly ToolSpec[]): string {
  const list = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
  return `# Tools

Reply with one JSON object and nothing else: {"tool": NAME, "arguments": {...}} calls a tool, whose result is the next message; {"answer": TEXT} answers the user and ends your work. Call tools until the task is done.

<tools>
${list.join("\n")}
</tools>`
}

export function writeEnvelope(reply: Enveloped): string {
  if ("answer" in reply) return JSON.stringify(reply)
  return JSON.stringify({ tool: reply.call.name, arguments: reply.call.arguments })
}

/** Null for a text that is neither an answer nor a call, as of a server without grammars, or of a reply that was cut. */
export function readEnvelope(text: string): Enveloped | null {
  const value = parseJson(text.trim())
  if (!isRecord(value)) return null
  const { answer, tool, arguments: args } = value
  if (typeof answer === "string") return { answer }
  return typeof tool === "string" && isRecord(args) ? { call: { name: tool, arguments: args } } : null
}
