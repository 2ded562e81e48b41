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
  isToolName,
  oneOf,
  type Problems,
} from "./check.ts"
import { checkImageUrl } from "./openai-image.ts"

const fields = `
  model messages stream stream_options tools tool_choice parallel_tool_calls max_tokens
  max_completion_tokens temperature top_p stop seed n user store metadata reasoning_effort
  response_format prompt_cache_key prompt_cache_retention safety_identifier service_tier verbosity
  frequency_penalty presence_penalty logit_bias logprobs top_logprobs modalities
`
  .trim()
  .split(/\s+/)

/** Extra fields of some endpoints; a test lists the permitted ones. */
export interface OpenAIExtensions {
  readonly message?: readonly string[]
  readonly request?: readonly string[]
  /** Of one call of a reply. */
  readonly call?: readonly string[]
  /** Replies may contain reasoning as parts of the content (Mistral). */
  readonly thinkingParts?: boolean
  /** For servers that reject a history reply without this field; `empty`: whether an empty one is accepted. */
  readonly thought?: { readonly field: string; readonly empty: boolean }
}

/**
 * Errors of the Chat Completions API for this request, according to its reference; empty for a valid one. Independent of
 * Gong's request code.
 */
export function validateOpenAICompletions(request: unknown, extensions: OpenAIExtensions = {}): Problems {
  if (!isFields(request)) return ["the request must be an object"]
  return [
    ...checkFields(request, "request", [...fields, ...(extensions.request ?? [])], ["model", "messages"]),
    ...checkSettings(request),
    ...checkTools(request),
    ...checkMessages(request["messages"], extensions),
  ]
}

function checkSettings(request: Fields): Problems {
  const at = (key: string, fits: (value: unknown) => boolean, what: string) =>
    checkOptional(request, key, "request", fits, what)
  const problems = [
    ...at("model", isText, "text"),
    ...at("stream", isBoolean, "a boolean"),
    ...at("max_tokens", isPositiveInteger, "a positive integer"),
    ...at("max_completion_tokens", isPositiveInteger, "a positive integer"),
    ...at("temperature", between(0, 2), "between 0 and 2"),
    ...at("top_p", between(0, 1), "between 0 and 1"),
    ...at("reasoning_effort", oneOf("none", "minimal", "low", "medium", "high", "xhigh"), "a known effort"),
    ...at("stream_options", isFields, "an object"),
  ]
  if (request["max_tokens"] !== undefined && request["max_completion_tokens"] !== undefined)
    problems.push("request: max_tokens and max_completion_tokens exclude each other")
  const options = request["stream_options"]
  if (options !== undefined && request["stream"] !== true) problems.push("request: stream_options only with stream")
  if (isFields(options))
    problems.push(...checkFields(options, "stream_options", ["include_usage", "include_obfuscation"], []))
  return problems
}

function checkTools(request: Fields): Problems {
  const tools = request["tools"]
  if (tools === undefined) {
    const orphans = ["tool_choice", "parallel_tool_calls"].filter((key) => request[key] !== undefined)
    return orphans.map((key) => `request: ${key} only with tools`)
  }
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > 128) return ["tools must be a list of 1 to 128"]
  const problems = tools.flatMap((tool: unknown, index) => checkTool(tool, `tools[${index}]`))
  const names = tools.map((tool: unknown) =>
    isFields(tool) && isFields(tool["function"]) ? tool["function"]["name"] : tool,
  )
  return [...problems, ...checkUnique(names, "tools", "the name")]
}

function checkTool(tool: unknown, where: string): Problems {
  if (!isFields(tool) || tool["type"] !== "function" || !isFields(tool["function"]))
    return [`${where} must be a function`]
  const spec = tool["function"]
  return [
    ...checkFields(tool, where, ["type", "function"], []),
    ...checkFields(spec, where, ["name", "description", "parameters", "strict"], ["name"]),
    ...checkToolSpec(spec["name"], spec["description"], spec["parameters"] ?? { type: "object" }, where, 64),
  ]
}

/** Order of the conversation: each call is answered once, directly after its message. */
function checkMessages(messages: unknown, extensions: OpenAIExtensions): Problems {
  if (!Array.isArray(messages) || messages.length === 0) return ["messages must be a list that is not empty"]
  const problems: Problems = []
  let open = new Set<unknown>()
  messages.forEach((message: unknown, index) => {
    const where = `messages[${index}]`
    if (!isFields(message)) return problems.push(`${where} must be an object`)
    if (message["role"] === "tool") {
      if (!open.delete(message["tool_call_id"])) problems.push(`${where}: tool_call_id answers no open call`)
    } else {
      for (const id of open) problems.push(`${where}: call ${String(id)} has no answer before it`)
      open = new Set(callsOf(message).map((call) => call["id"]))
    }
    return problems.push(...checkMessage(message, where, extensions))
  })
  for (const id of open) problems.push(`messages: call ${String(id)} has no answer`)
  return problems
}

function callsOf(message: Fields): readonly Fields[] {
  const calls = message["tool_calls"]
  return Array.isArray(calls) ? calls.filter(isFields) : []
}

function checkMessage(message: Fields, where: string, extensions: OpenAIExtensions): Problems {
  const content = message["content"]
  switch (message["role"]) {
    case "system":
    case "developer":
      return [
        ...checkFields(message, where, ["role", "content", "name"], ["content"]),
        ...checkContent(content, where, ["text"]),
      ]
    case "user":
      return [
        ...checkFields(message, where, ["role", "content", "name"], ["content"]),
        ...checkContent(content, where, ["text", "image_url", "file", "input_audio"]),
      ]
    case "tool":
      return [
        ...checkFields(message, where, ["role", "content", "tool_call_id"], ["content", "tool_call_id"]),
        ...(content === "" ? [] : checkContent(content, where, ["text"])),
      ]
    case "assistant":
      return [...checkAssistant(message, where, extensions), ...checkThought(message, where, extensions)]
    default:
      return [`${where}: unknown role ${String(message["role"])}`]
  }
}

function checkAssistant(message: Fields, where: string, extensions: OpenAIExtensions): Problems {
  const { message: extra, call, thinkingParts } = extensions
  const known = ["role", "content", "name", "refusal", "tool_calls", "audio", ...(extra ?? [])]
  const parts = ["text", "refusal", ...(thinkingParts ? ["thinking"] : [])]
  const problems = checkFields(message, where, known, [])
  const calls = message["tool_calls"]
  const content = message["content"]
  if (content !== null && content !== undefined) {
    if (!(content === "" && calls !== undefined)) problems.push(...checkContent(content, where, parts))
  } else if (calls === undefined) problems.push(`${where}: an assistant message needs content or tool_calls`)
  if (calls === undefined) return problems
  if (!Array.isArray(calls) || calls.length === 0) return [...problems, `${where}: tool_calls must not be empty`]
  problems.push(...calls.flatMap((one: unknown, index) => checkCall(one, `${where}.tool_calls[${index}]`, call)))
  return [
    ...problems,
    ...checkUnique(
      callsOf(message).map((call) => call["id"]),
      where,
      "the call id",
    ),
  ]
}

function checkThought(message: Fields, where: string, { thought }: OpenAIExtensions): Problems {
  if (thought === undefined) return []
  const value = message[thought.field]
  const fits = typeof value === "string" && (thought.empty || value !== "")
  return fits ? [] : [`${where}: ${thought.field} must be passed back`]
}

function checkCall(call: unknown, where: string, extra: readonly string[] = []): Problems {
  if (!isFields(call) || call["type"] !== "function" || !isFields(call["function"]))
    return [`${where} must be a function call`]
  const problems = [
    ...checkFields(call, where, ["id", "type", "function", "index", ...extra], ["id"]),
    ...checkFields(call["function"], where, ["name", "arguments"], ["name", "arguments"]),
  ]
  if (!isText(call["id"]) || call["id"].length > 40) problems.push(`${where}: id must have 1 to 40 characters`)
  if (!isToolName(call["function"]["name"], 64)) problems.push(`${where}: name must match ^[a-zA-Z0-9_-]{1,64}$`)
  if (!isJsonObject(call["function"]["arguments"]))
    problems.push(`${where}: arguments must be the text of a JSON object`)
  return problems
}

function isJsonObject(text: unknown): boolean {
  try {
    return typeof text === "string" && isFields(JSON.parse(text))
  } catch {
    return false
  }
}

function checkContent(content: unknown, where: string, parts: readonly string[]): Problems {
  if (typeof content === "string") return content === "" ? [`${where}: content is empty`] : []
  if (!Array.isArray(content) || content.length === 0) return [`${where}: content must be text or a list of parts`]
  return content.flatMap((part: unknown, index) => checkPart(part, `${where}.content[${index}]`, parts))
}

function checkPart(part: unknown, where: string, allowed: readonly string[]): Problems {
  if (!isFields(part)) return [`${where} must be an object`]
  if (!allowed.includes(part["type"] as string))
    return [`${where}: a part of type ${String(part["type"])} may not stand here`]
  if (part["type"] === "text")
    return typeof part["text"] === "string" && part["text"] !== ""
      ? checkFields(part, where, ["type", "text"], [])
      : [`${where}: text is empty`]
  if (part["type"] === "image_url") return checkImage(part["image_url"], where)
  if (part["type"] === "thinking") return checkThinking(part, where)
  return []
}

/** The model ThinkChunk of Mistral's client. */
function checkThinking(part: Fields, where: string): Problems {
  const problems = checkFields(part, where, ["type", "thinking", "closed"], [])
  return [...problems, ...checkContent(part["thinking"], `${where}.thinking`, ["text"])]
}

function checkImage(image: unknown, where: string): Problems {
  if (!isFields(image) || typeof image["url"] !== "string") return [`${where}: image_url.url is missing`]
  return [...checkFields(image, where, ["url", "detail"], []), ...checkImageUrl(image["url"], where)]
}
