import { checkBlock } from "./anthropic-blocks.ts"
import {
  between,
  checkFields,
  checkOptional,
  checkToolSpec,
  checkUnique,
  type Fields,
  isBoolean,
  isFields,
  isPositiveInteger,
  isText,
  type Problems,
} from "./check.ts"

const fields = `
  model max_tokens messages system stream temperature top_p top_k stop_sequences tools tool_choice
  thinking metadata service_tier output_config output_format context_management container mcp_servers
  inference_geo
`
  .trim()
  .split(/\s+/)

/**
 * Errors of the Messages API for this request, according to its reference; empty for a valid one. Independent of Gong's
 * request code.
 */
export function validateAnthropicMessages(request: unknown): Problems {
  if (!isFields(request)) return ["the request must be an object"]
  return [
    ...checkFields(request, "request", fields, ["model", "max_tokens", "messages"]),
    ...checkSettings(request),
    ...checkThinking(request),
    ...checkTools(request),
    ...checkSystem(request["system"]),
    ...checkMessages(request["messages"]),
    ...checkThinkingBeforeCalls(request),
    ...checkCacheMarks(request),
  ]
}

/** Required headers; names in lower case. */
export function validateAnthropicHeaders(headers: Readonly<Record<string, unknown>>): Problems {
  const problems: Problems = []
  if (!/^\d{4}-\d{2}-\d{2}$/.test(String(headers["anthropic-version"])))
    problems.push("headers: anthropic-version is missing")
  if (!isText(headers["x-api-key"]) && !isText(headers["authorization"])) problems.push("headers: x-api-key is missing")
  return problems
}

function checkSettings(request: Fields): Problems {
  const at = (key: string, fits: (value: unknown) => boolean, what: string) =>
    checkOptional(request, key, "request", fits, what)
  return [
    ...at("model", isText, "text"),
    ...at("max_tokens", isPositiveInteger, "a positive integer"),
    ...at("stream", isBoolean, "a boolean"),
    ...at("temperature", between(0, 1), "between 0 and 1"),
    ...at("top_p", between(0, 1), "between 0 and 1"),
    ...at("metadata", isFields, "an object"),
  ]
}

function checkThinking(request: Fields): Problems {
  const thinking = request["thinking"]
  if (thinking === undefined) return []
  if (!isFields(thinking)) return ["thinking must be an object"]
  if (thinking["type"] === "disabled" || thinking["type"] === "adaptive")
    return checkFields(thinking, "thinking", ["type", "display"], [])
  if (thinking["type"] === "between_tools") return checkFields(thinking, "thinking", ["type"], [])
  if (thinking["type"] !== "enabled") return [`thinking: unknown type ${String(thinking["type"])}`]
  const problems = checkFields(thinking, "thinking", ["type", "budget_tokens", "display"], ["budget_tokens"])
  const budget = thinking["budget_tokens"]
  if (!Number.isInteger(budget) || (budget as number) < 1024)
    problems.push("thinking: budget_tokens must be 1024 or more")
  if (Number(budget) >= Number(request["max_tokens"]))
    problems.push("thinking: budget_tokens must be less than max_tokens")
  if (request["temperature"] !== undefined && request["temperature"] !== 1)
    problems.push("thinking: temperature must be 1")
  if (request["top_k"] !== undefined) problems.push("thinking: top_k may not be set")
  const choice = request["tool_choice"]
  if (isFields(choice) && (choice["type"] === "any" || choice["type"] === "tool"))
    problems.push("thinking: tool_choice may not force a tool")
  return problems
}

function checkTools(request: Fields): Problems {
  const tools = request["tools"]
  if (tools === undefined) return request["tool_choice"] === undefined ? [] : ["request: tool_choice only with tools"]
  if (!Array.isArray(tools)) return ["tools must be a list"]
  const problems = tools.flatMap((tool: unknown, index) => checkTool(tool, `tools[${index}]`))
  return [
    ...problems,
    ...checkUnique(
      tools.map((tool: unknown) => (isFields(tool) ? tool["name"] : tool)),
      "tools",
      "the name",
    ),
  ]
}

function checkTool(tool: unknown, where: string): Problems {
  if (!isFields(tool)) return [`${where} must be an object`]
  const known = [
    "name",
    "description",
    "input_schema",
    "cache_control",
    "type",
    "strict",
    "eager_input_streaming",
    "input_examples",
  ]
  const problems = [
    ...checkFields(tool, where, known, ["name", "input_schema"]),
    ...checkToolSpec(tool["name"], tool["description"], tool["input_schema"], where, 128),
  ]
  const schema = isFields(tool["input_schema"]) ? tool["input_schema"] : {}
  for (const word of ["oneOf", "anyOf", "allOf"])
    if (word in schema) problems.push(`${where}: ${word} may not stand at the top of a schema`)
  return problems
}

function checkSystem(system: unknown): Problems {
  if (system === undefined) return []
  if (typeof system === "string") return isText(system) ? [] : ["system is empty"]
  if (!Array.isArray(system)) return ["system must be text or a list of text blocks"]
  return system.flatMap((block: unknown, index) => checkBlock(block, `system[${index}]`, ["text"]))
}

/** The conversation begins and ends with a user message, and each tool_use is answered once, first in the next message. Neighbours of one role are one turn. */
function checkMessages(given: unknown): Problems {
  if (!Array.isArray(given) || given.length === 0) return ["messages must be a list that is not empty"]
  const messages = combined(given)
  const problems: Problems = []
  let open: readonly unknown[] = []
  const used: unknown[] = []
  messages.forEach((message: unknown, index) => {
    const where = `messages[${index}]`
    if (!isFields(message)) return problems.push(`${where} must be an object`)
    const expected = index % 2 === 0 ? "user" : "assistant"
    if (message["role"] !== expected)
      problems.push(`${where}: role must be ${expected}, roles alternate and a user begins`)
    problems.push(...checkFields(message, where, ["role", "content"], ["content"]), ...checkContent(message, where))
    problems.push(...checkAnswers(blocksOf(message), open, where))
    open = blocksOf(message)
      .filter((block) => block["type"] === "tool_use")
      .map((block) => block["id"])
    return used.push(...open)
  })
  if (messages.length % 2 === 0) problems.push("messages: the last must be the user's")
  return [...problems, ...checkUnique(used, "messages", "the tool_use id")]
}

/** "Consecutive user or assistant turns in your request will be combined into a single turn." */
function combined(messages: readonly unknown[]): readonly unknown[] {
  const turns: unknown[] = []
  for (const message of messages) {
    const before = turns.at(-1)
    if (isFields(message) && isFields(before) && message["role"] === before["role"])
      turns[turns.length - 1] = { ...before, content: [...contentOf(before), ...contentOf(message)] }
    else turns.push(message)
  }
  return turns
}

function contentOf({ content }: Fields): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: "text", text: content }]
}

function blocksOf(message: Fields): readonly Fields[] {
  return Array.isArray(message["content"]) ? message["content"].filter(isFields) : []
}

function checkContent(message: Fields, where: string): Problems {
  const content = message["content"]
  if (typeof content === "string") return isText(content) ? [] : [`${where}: text must not be blank`]
  if (!Array.isArray(content) || content.length === 0) return [`${where}: content is empty`]
  const allowed = message["role"] === "user" ? userBlocks : assistantBlocks
  const problems = content.flatMap((block: unknown, index) => checkBlock(block, `${where}.content[${index}]`, allowed))
  const last: unknown = content.at(-1)
  if (isFields(last) && (last["type"] === "thinking" || last["type"] === "redacted_thinking"))
    problems.push(`${where}: the last block of an assistant message may not be thinking`)
  return problems
}

const userBlocks = ["text", "image", "document", "tool_result"]
const assistantBlocks = ["text", "tool_use", "thinking", "redacted_thinking"]

function checkAnswers(blocks: readonly Fields[], open: readonly unknown[], where: string): Problems {
  const problems: Problems = []
  const answers = blocks.filter((block) => block["type"] === "tool_result").map((block) => block["tool_use_id"])
  for (const id of open)
    if (!answers.includes(id)) problems.push(`${where}: tool_use ${String(id)} has no tool_result right after it`)
  for (const id of answers)
    if (!open.includes(id)) problems.push(`${where}: tool_result ${String(id)} answers no tool_use right before it`)
  problems.push(...checkUnique(answers, where, "the tool_result for"))
  const firstOther = blocks.findIndex((block) => block["type"] !== "tool_result")
  const late = blocks.findLastIndex((block) => block["type"] === "tool_result")
  if (firstOther !== -1 && late > firstOther) problems.push(`${where}: tool_result blocks come first`)
  return problems
}

/** During tool use a thinking model's own message must begin with its reasoning. */
function checkThinkingBeforeCalls(request: Fields): Problems {
  const messages = request["messages"]
  const thinking = request["thinking"]
  if (!isFields(thinking) || thinking["type"] !== "enabled" || !Array.isArray(messages)) return []
  const [before, last]: unknown[] = messages.slice(-2)
  if (!isFields(before) || !isFields(last) || !blocksOf(last).some((block) => block["type"] === "tool_result"))
    return []
  const first = blocksOf(before)[0]?.["type"]
  return first === "thinking" || first === "redacted_thinking"
    ? []
    : ["messages: with thinking, the message that made the calls must start with thinking"]
}

function checkCacheMarks(request: Fields): Problems {
  const messages = Array.isArray(request["messages"]) ? request["messages"].filter(isFields) : []
  const inside = (block: Fields) => [
    block,
    ...(Array.isArray(block["content"]) ? block["content"].filter(isFields) : []),
  ]
  const places = [
    ...listOf(request["tools"]),
    ...listOf(request["system"]),
    ...messages.flatMap((message) => blocksOf(message).flatMap(inside)),
  ]
  const marked = places.filter((place) => place["cache_control"] !== undefined)
  const problems = marked.length > 4 ? [`cache_control: ${marked.length} marks, at most 4 are allowed`] : []
  for (const { cache_control: mark } of marked) {
    if (!isFields(mark) || mark["type"] !== "ephemeral") problems.push("cache_control must be of type ephemeral")
    else problems.push(...checkFields(mark, "cache_control", ["type", "ttl"], []))
  }
  return problems
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}
