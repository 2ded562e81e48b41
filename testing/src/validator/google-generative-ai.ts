import {
  between,
  checkFields,
  checkOptional,
  checkUnique,
  type Fields,
  isBoolean,
  isFields,
  isPositiveInteger,
  isText,
  oneOf,
  type Problems,
} from "./check.ts"
import { callsIn, checkContent, checkParts } from "./google-parts.ts"

const fields = ["contents", "tools", "toolConfig", "safetySettings", "systemInstruction", "generationConfig"]

export interface GoogleRules {
  /** The model rejects calls of a turn without a thought signature, as Gemini 3 does. */
  readonly signatures?: boolean
}

/**
 * Errors of `models/ID:streamGenerateContent` of the Gemini API (v1beta) for this request, according to its reference and its
 * error messages; empty for a valid one. Supports functions as the only tools, and names in camel case as in the reference.
 * Independent of Gong's request code.
 */
export function validateGoogleGenerativeAI(request: unknown, rules: GoogleRules = {}): Problems {
  if (!isFields(request)) return ["the request must be an object"]
  return [
    ...checkFields(request, "request", [...fields, "cachedContent", "store"], ["contents"]),
    ...checkInstruction(request["systemInstruction"]),
    ...checkContents(request["contents"], rules),
    ...checkTools(request["tools"]),
    ...checkToolConfig(request["toolConfig"]),
    ...checkGeneration(request["generationConfig"]),
  ]
}

/** A request without a key is a 403. The key is in a header, so that no log of URLs contains it. */
export function validateGoogleHeaders(headers: Readonly<Record<string, unknown>>): Problems {
  const known = isText(headers["x-goog-api-key"]) || isText(headers["authorization"])
  return known ? [] : ["headers: x-goog-api-key is missing"]
}

function checkInstruction(instruction: unknown): Problems {
  if (instruction === undefined) return []
  if (!isFields(instruction)) return ["systemInstruction must be a content"]
  return [
    ...checkFields(instruction, "systemInstruction", ["role", "parts"], ["parts"]),
    ...checkParts(instruction["parts"], "systemInstruction", ["text"]),
  ]
}

/** Order of contents: a call follows a user message or results, and its results follow at once, one per call. */
function checkContents(contents: unknown, rules: GoogleRules): Problems {
  if (!Array.isArray(contents) || contents.length === 0) return ["contents is not specified"]
  const problems: Problems = []
  let open: readonly Fields[] = []
  contents.forEach((content: unknown, at) => {
    const where = `contents[${at}]`
    if (!isFields(content)) return problems.push(`${where} must be an object`)
    const calls = callsIn(content, "functionCall")
    const results = callsIn(content, "functionResponse")
    const before: unknown = contents[at - 1]
    if (calls.length > 0 && !(isFields(before) && before["role"] !== "model"))
      problems.push(`${where}: a function call turn comes immediately after a user turn or a function response turn`)
    if (results.length !== open.length)
      problems.push(`${where}: ${results.length} function response parts for ${open.length} function call parts`)
    problems.push(...checkContent(content, where), ...checkAnswers(results, open, where))
    return (open = calls)
  })
  const last: unknown = contents.at(-1)
  if (isFields(last) && last["role"] === "model") problems.push("contents: the last must be the user's")
  return rules.signatures ? [...problems, ...checkSignatures(contents.filter(isFields))] : problems
}

function checkAnswers(results: readonly Fields[], calls: readonly Fields[], where: string): Problems {
  const name = (one: Fields) => JSON.stringify([one["id"] ?? null, one["name"]])
  const made = calls.map(name)
  const ids = calls.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return [
    ...results
      .filter((result) => !made.includes(name(result)))
      .map((result) => `${where}: ${name(result)} was not called`),
    ...checkUnique(ids, where, "the function call id"),
  ]
}

/** In the current turn, since the last user message, the first call of each step has a signature. */
function checkSignatures(contents: readonly Fields[]): Problems {
  const begun = contents.findLastIndex(
    (content) => content["role"] === "user" && callsIn(content, "functionResponse").length === 0,
  )
  return contents.slice(begun + 1).flatMap((content) => {
    const parts = Array.isArray(content["parts"]) ? content["parts"].filter(isFields) : []
    const first = parts.find((part) => part["functionCall"] !== undefined)
    if (first === undefined || first["thoughtSignature"] !== undefined) return []
    return ["contents: a function call is missing a thought_signature in functionCall parts"]
  })
}

function checkTools(tools: unknown): Problems {
  if (tools === undefined) return []
  if (!Array.isArray(tools)) return ["tools must be a list"]
  const declared = tools.flatMap((tool: unknown) =>
    isFields(tool) && Array.isArray(tool["functionDeclarations"]) ? tool["functionDeclarations"] : [tool],
  )
  const names = declared.map((one: unknown) => (isFields(one) ? one["name"] : one))
  return [
    ...tools.flatMap((tool: unknown, at) =>
      isFields(tool) ? checkFields(tool, `tools[${at}]`, ["functionDeclarations"], ["functionDeclarations"]) : [],
    ),
    ...declared.flatMap((one: unknown, at) => checkDeclaration(one, `functionDeclarations[${at}]`)),
    ...checkUnique(names, "tools", "the function declaration"),
  ]
}

function checkDeclaration(one: unknown, where: string): Problems {
  if (!isFields(one)) return [`${where} must be an object`]
  const known = [
    "name",
    "description",
    "behavior",
    "parameters",
    "parametersJsonSchema",
    "response",
    "responseJsonSchema",
  ]
  const problems = checkFields(one, where, known, ["name", "description"])
  if (!isFunctionName(one["name"])) problems.push(`${where}: invalid function name`)
  if (one["description"] !== undefined && typeof one["description"] !== "string")
    problems.push(`${where}: description must be text`)
  if (one["parameters"] !== undefined && one["parametersJsonSchema"] !== undefined)
    problems.push(`${where}: parameters and parametersJsonSchema exclude one another`)
  const schema = one["parametersJsonSchema"] ?? one["parameters"]
  if (schema === undefined) return problems
  const type = isFields(schema) ? String(schema["type"]).toLowerCase() : ""
  return type === "object" ? problems : [...problems, `${where}: the schema must be of type object`]
}

function isFunctionName(value: unknown): boolean {
  return typeof value === "string" && /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(value)
}

function checkToolConfig(config: unknown): Problems {
  if (config === undefined) return []
  const calling = isFields(config) ? config["functionCallingConfig"] : undefined
  if (!isFields(calling)) return ["toolConfig: functionCallingConfig must be an object"]
  const { mode, allowedFunctionNames: names } = calling as { mode?: unknown; allowedFunctionNames?: unknown }
  const problems = checkFields(calling, "functionCallingConfig", ["mode", "allowedFunctionNames"], [])
  if (mode !== undefined && !oneOf("AUTO", "ANY", "NONE", "VALIDATED")(mode))
    problems.push(`functionCallingConfig: unknown mode ${JSON.stringify(mode)}`)
  if (names !== undefined && mode !== "ANY" && mode !== "VALIDATED")
    problems.push("functionCallingConfig: allowedFunctionNames only with mode ANY or VALIDATED")
  return problems
}

const generation = `
  stopSequences responseMimeType responseSchema responseJsonSchema responseModalities candidateCount maxOutputTokens
  temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs thinkingConfig mediaResolution
`
  .trim()
  .split(/\s+/)

function checkGeneration(config: unknown): Problems {
  if (config === undefined) return []
  if (!isFields(config)) return ["generationConfig must be an object"]
  const at = (key: string, fits: (value: unknown) => boolean, what: string) =>
    checkOptional(config, key, "generationConfig", fits, what)
  return [
    ...checkFields(config, "generationConfig", generation, []),
    ...at("maxOutputTokens", isPositiveInteger, "a positive whole number"),
    ...at("candidateCount", (value) => isPositiveInteger(value) && (value as number) <= 8, "1 to 8"),
    ...at("temperature", between(0, 2), "between 0 and 2"),
    ...at("topP", between(0, 1), "between 0 and 1"),
    ...at("stopSequences", (value) => Array.isArray(value) && value.length <= 5, "a list of at most 5"),
    ...checkThinking(config["thinkingConfig"]),
  ]
}

function checkThinking(config: unknown): Problems {
  if (config === undefined) return []
  if (!isFields(config)) return ["thinkingConfig must be an object"]
  const budget = (value: unknown) =>
    Number.isInteger(value) && ((value as number) === -1 || ((value as number) >= 0 && (value as number) <= 32_768))
  const levels = oneOf("MINIMAL", "LOW", "MEDIUM", "HIGH", "minimal", "low", "medium", "high")
  const both = config["thinkingBudget"] !== undefined && config["thinkingLevel"] !== undefined
  return [
    ...checkFields(config, "thinkingConfig", ["includeThoughts", "thinkingBudget", "thinkingLevel"], []),
    ...checkOptional(config, "includeThoughts", "thinkingConfig", isBoolean, "a boolean"),
    ...checkOptional(config, "thinkingBudget", "thinkingConfig", budget, "-1 or 0 to 32768"),
    ...checkOptional(config, "thinkingLevel", "thinkingConfig", levels, "a known level"),
    ...(both ? ["thinkingConfig: only one of thinkingBudget and thinkingLevel may be set"] : []),
  ]
}
