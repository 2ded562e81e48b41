import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/client"
import { isRecord } from "@gong/spec"
import { limits } from "../definitions/limits.ts"
import { checkSchema, problemKey } from "../definitions/schema.ts"

/**
 * The transport with bounded messages: long lists are cut, and schemas that are too large, too deep or otherwise refused are
 * replaced, before the client library walks through them, which would block the event loop or overflow the stack.
 */
export function bounded(transport: Transport): Transport {
  type Receive = NonNullable<Transport["onmessage"]>
  return new Proxy(transport, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === "function" && key !== "onmessage" ? value.bind(target) : value
    },
    set(target, key, value: unknown) {
      const wrapped =
        key === "onmessage" && typeof value === "function"
          ? <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) =>
              (value as Receive)(withBounds(message), extra)
          : value
      return Reflect.set(target, key, wrapped, target)
    },
  })
}

/** The most items of each list in a result. Of tools one page more, so that it can be said how many are left out. */
const maxItems = {
  tools: 50 * limits.tools,
  prompts: limits.prompts,
  resources: limits.resources,
  resourceTemplates: limits.resources,
  content: limits.parts,
  contents: limits.parts,
  messages: limits.parts,
} as const

function withBounds<T extends JSONRPCMessage>(message: T): T {
  const result: unknown = "result" in message ? message.result : null
  if (!isRecord(result)) return message
  const changed: Record<string, unknown> = {}
  for (const [name, most] of Object.entries(maxItems)) {
    const items = result[name]
    if (Array.isArray(items) && items.length > most) changed[name] = items.slice(0, most)
  }
  const tools = changed["tools"] ?? result["tools"]
  if (Array.isArray(tools)) changed["tools"] = tools.map(withCheckedSchema)
  return { ...message, result: { ...result, ...changed } }
}

function withCheckedSchema(tool: unknown): unknown {
  if (!isRecord(tool)) return { name: "", inputSchema: { type: "object" } }
  const checked = checkSchema(tool["inputSchema"])
  const { outputSchema: _, ...rest } = tool
  if (checked.ok) return rest
  return { ...rest, inputSchema: { type: "object", [problemKey]: checked.problem } }
}
