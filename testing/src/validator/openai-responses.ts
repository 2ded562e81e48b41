import {
  between,
  checkFields,
  checkOptional,
  checkToolSpec,
  checkUnique,
  type Fields,
  isBoolean,
  isFields,
  isText,
  isToolName,
  oneOf,
  type Problems,
} from "./check.ts"
import { checkImageUrl } from "./openai-image.ts"

const fields = `
  model input instructions stream stream_options store include reasoning tools tool_choice parallel_tool_calls
  max_output_tokens max_tool_calls temperature top_p top_logprobs metadata user text truncation background
  previous_response_id conversation prompt prompt_cache_key prompt_cache_retention safety_identifier service_tier
`
  .trim()
  .split(/\s+/)

const includables = oneOf(
  "reasoning.encrypted_content",
  "message.output_text.logprobs",
  "message.input_image.image_url",
  "file_search_call.results",
  "web_search_call.results",
  "code_interpreter_call.outputs",
)

/**
 * Errors of the Responses API for this request, according to its reference; empty for a valid one. Accepts what a stateless
 * client sends; items of tools other than functions are rejected. Independent of Gong's request code.
 */
export function validateOpenAIResponses(request: unknown): Problems {
  if (!isFields(request)) return ["the request must be an object"]
  return [
    ...checkFields(request, "request", fields, ["model", "input"]),
    ...checkSettings(request),
    ...checkTools(request),
    ...checkInput(request["input"], request["store"] === false),
  ]
}

function checkSettings(request: Fields): Problems {
  const at = (key: string, fits: (value: unknown) => boolean, what: string) =>
    checkOptional(request, key, "request", fits, what)
  const problems = [
    ...at("model", isText, "text"),
    ...at("instructions", (value) => typeof value === "string", "text"),
    ...at("stream", isBoolean, "a boolean"),
    ...at("store", isBoolean, "a boolean"),
    ...at("max_output_tokens", (value) => Number.isInteger(value) && (value as number) >= 16, "at least 16"),
    ...at("temperature", between(0, 2), "between 0 and 2"),
    ...at("top_p", between(0, 1), "between 0 and 1"),
    ...at("prompt_cache_key", (value) => isText(value) && value.length <= 64, "text of at most 64 characters"),
    ...at("include", (value) => Array.isArray(value) && value.every(includables), "a list of known names"),
  ]
  const reasoning = request["reasoning"]
  if (reasoning === undefined) return problems
  if (!isFields(reasoning)) return [...problems, "request.reasoning must be an object"]
  const efforts = oneOf("none", "minimal", "low", "medium", "high", "xhigh", "max")
  return [
    ...problems,
    ...checkFields(reasoning, "reasoning", ["effort", "summary", "context", "mode"], []),
    ...checkOptional(reasoning, "effort", "reasoning", efforts, "a known effort"),
    ...checkOptional(reasoning, "summary", "reasoning", oneOf("auto", "concise", "detailed"), "a known summary"),
  ]
}

function checkTools(request: Fields): Problems {
  const tools = request["tools"]
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > 128) return ["tools must be a list of 1 to 128"]
  const names = tools.map((tool: unknown) => (isFields(tool) ? tool["name"] : tool))
  return [
    ...tools.flatMap((tool: unknown, at) => checkTool(tool, `tools[${at}]`)),
    ...checkUnique(names, "tools", "the name"),
  ]
}

function checkTool(tool: unknown, where: string): Problems {
  if (!isFields(tool) || tool["type"] !== "function") return [`${where} must be a function`]
  return [
    ...checkFields(tool, where, ["type", "name", "description", "parameters", "strict"], ["name", "parameters"]),
    ...checkToolSpec(tool["name"], tool["description"], tool["parameters"], where, 64),
    // Strict by default, and then every property must be required.
    ...(tool["strict"] === false ? [] : checkStrict(tool["parameters"], where)),
  ]
}

function checkStrict(schema: unknown, where: string): Problems {
  if (!isFields(schema)) return []
  const names = Object.keys(isFields(schema["properties"]) ? schema["properties"] : {})
  const required: unknown = schema["required"]
  const whole = Array.isArray(required) && names.every((name) => required.includes(name))
  const closed = schema["additionalProperties"] === false
  return whole && closed ? [] : [`${where}: a strict schema requires every property and allows no others`]
}

/** Order of the conversation: each call is answered once, later; reasoning precedes its result. */
function checkInput(input: unknown, stateless: boolean): Problems {
  if (typeof input === "string") return input === "" ? ["input is empty"] : []
  if (!Array.isArray(input) || input.length === 0) return ["input must be text or a list that is not empty"]
  const problems: Problems = []
  const open = new Set<unknown>()
  input.forEach((item: unknown, at) => {
    const where = `input[${at}]`
    if (!isFields(item)) return problems.push(`${where} must be an object`)
    if (item["type"] === "function_call") open.add(item["call_id"])
    if (item["type"] === "function_call_output" && !open.delete(item["call_id"]))
      problems.push(`${where}: no call found for the output with call_id ${String(item["call_id"])}`)
    if (item["type"] === "reasoning" && !followed(input, at))
      problems.push(`${where}: reasoning was provided without its required following item`)
    return problems.push(...checkItem(item, where, stateless))
  })
  for (const id of open) problems.push(`input: no output found for call ${String(id)}`)
  const given = input.filter(isFields)
  const ids = given.map((item) => item["id"]).filter((id) => id !== undefined)
  const calls = given.filter((item) => item["type"] === "function_call").map((item) => item["call_id"])
  return [...problems, ...checkUnique(ids, "input", "the item id"), ...checkUnique(calls, "input", "the call id")]
}

/** Whether it is the model's own. */
function followed(input: readonly unknown[], at: number): boolean {
  const next = input.slice(at + 1).find((item) => !isFields(item) || item["type"] !== "reasoning")
  return isFields(next) && (next["type"] === "function_call" || next["role"] === "assistant")
}

function checkItem(item: Fields, where: string, stateless: boolean): Problems {
  switch (item["type"] ?? "message") {
    case "message":
      return checkMessage(item, where)
    case "function_call":
      return checkCall(item, where)
    case "function_call_output":
      return [
        ...checkFields(item, where, ["type", "id", "call_id", "output", "status"], ["call_id", "output"]),
        ...(typeof item["output"] === "string" ? [] : checkParts(item["output"], where, inputParts)),
      ]
    case "reasoning":
      return checkReasoning(item, where, stateless)
    default:
      return [`${where}: unknown type ${String(item["type"])}`]
  }
}

const inputParts = ["input_text", "input_image", "input_file"]

function checkMessage(item: Fields, where: string): Problems {
  const { role, content } = item as { role?: unknown; content?: unknown }
  if (!oneOf("user", "assistant", "system", "developer")(role)) return [`${where}: unknown role ${String(role)}`]
  const known = ["type", "role", "content", "phase", "id", "status"]
  const problems = checkFields(item, where, known, ["content"])
  if (typeof content === "string") return content === "" ? [...problems, `${where}: content is empty`] : problems
  const allowed = role === "assistant" ? ["output_text", "refusal"] : inputParts
  const own = role === "assistant" ? checkFields(item, where, known, ["id", "status", "type"]) : []
  return [...problems, ...own, ...checkParts(content, where, allowed)]
}

function checkCall(item: Fields, where: string): Problems {
  const { id, call_id: callId, name } = item as { id?: unknown; call_id?: unknown; name?: unknown }
  const problems = checkFields(
    item,
    where,
    ["type", "id", "call_id", "name", "arguments", "status"],
    ["call_id", "name", "arguments"],
  )
  if (!isId(callId, "")) problems.push(`${where}: call_id must have 1 to 64 letters, digits, _ or -`)
  if (id !== undefined && !isId(id, "fc"))
    problems.push(`${where}: id must begin with fc and have at most 64 characters`)
  if (!isToolName(name, 64)) problems.push(`${where}: name must match ^[a-zA-Z0-9_-]{1,64}$`)
  if (typeof item["arguments"] !== "string") problems.push(`${where}: arguments must be text`)
  return problems
}

function checkReasoning(item: Fields, where: string, stateless: boolean): Problems {
  const { id, summary, encrypted_content: sealed } = item as Record<"id" | "summary" | "encrypted_content", unknown>
  const known = ["type", "id", "summary", "content", "encrypted_content", "status"]
  const problems = checkFields(item, where, known, ["id", "summary"])
  if (!isId(id, "rs")) problems.push(`${where}: id must begin with rs and have at most 64 characters`)
  if (Array.isArray(summary)) {
    if (summary.length > 0) problems.push(...checkParts(summary, where, ["summary_text"]))
  } else problems.push(`${where}: summary must be a list`)
  if (stateless && !isText(sealed)) problems.push(`${where}: item not found: nothing is stored when store is false`)
  return problems
}

function isId(value: unknown, prefix: string): boolean {
  return isToolName(value, 64) && (value as string).startsWith(prefix)
}

function checkParts(content: unknown, where: string, allowed: readonly string[]): Problems {
  if (!Array.isArray(content) || content.length === 0) return [`${where}: content must be text or a list of parts`]
  return content.flatMap((part: unknown, at) => checkPart(part, `${where}.content[${at}]`, allowed))
}

function checkPart(part: unknown, where: string, allowed: readonly string[]): Problems {
  if (!isFields(part)) return [`${where} must be an object`]
  const type = part["type"] as string
  if (!allowed.includes(type)) return [`${where}: a part of type ${type} may not stand here`]
  if (type === "input_image")
    return [
      ...checkFields(part, where, ["type", "image_url", "file_id", "detail"], ["image_url"]),
      ...checkImageUrl(part["image_url"], where),
    ]
  if (type === "refusal" || type === "input_file") return []
  const more = type === "output_text" ? ["annotations", "logprobs"] : []
  const problems = checkFields(part, where, ["type", "text", ...more], type === "output_text" ? ["annotations"] : [])
  return typeof part["text"] === "string" && part["text"] !== "" ? problems : [...problems, `${where}: text is empty`]
}
