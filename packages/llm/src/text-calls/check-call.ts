import { isRecord, parseJson, type ToolCall, type ToolSpec } from "@gong/spec"
import type { WrittenCall } from "./formats.ts"

/**
 * A call in text counts only if it is meant: for a tool of this request, with every required argument and no unknown one.
 * Null otherwise.
 */
export function checkedCall(
  call: WrittenCall,
  tools: readonly ToolSpec[],
): Pick<ToolCall, "name" | "arguments"> | null {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool || !isRecord(tool.parameters)) return null
  const { properties = {}, required = [] } = tool.parameters
  if (!isRecord(properties) || !Array.isArray(required)) return null
  const given = call.arguments
  if (Object.keys(given).some((name) => !Object.hasOwn(properties, name))) return null
  if (required.some((name) => typeof name === "string" && !Object.hasOwn(given, name))) return null
  if (!call.texts) return { name: call.name, arguments: given }
  const typed = Object.entries(given).map(([name, text]) => [name, typedValue(String(text), properties[name])] as const)
  return { name: call.name, arguments: Object.fromEntries(typed) }
}

/** Only a parameter that takes no text is parsed. */
function typedValue(text: string, schema: unknown): unknown {
  const type = isRecord(schema) ? schema["type"] : undefined
  const types = Array.isArray(type) ? type : [type]
  if (types.includes("string")) return text
  return parseJson(text.trim()) ?? text
}
