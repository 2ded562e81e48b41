import { checkFields, type Fields, isBase64, isFields, isText, oneOf, type Problems } from "./check.ts"

/** The calls of a content, or its results. */
export function callsIn(content: Fields, kind: "functionCall" | "functionResponse"): readonly Fields[] {
  const parts = Array.isArray(content["parts"]) ? content["parts"].filter(isFields) : []
  return parts.map((part) => part[kind]).filter(isFields)
}

export function checkContent(content: Fields, where: string): Problems {
  const { role } = content
  if (!oneOf("user", "model")(role)) return [`${where}: please use a valid role: user, model`]
  const kinds =
    role === "user" ? ["text", "inlineData", "fileData", "functionResponse"] : ["text", "inlineData", "functionCall"]
  return [
    ...checkFields(content, where, ["role", "parts"], ["parts"]),
    ...checkParts(content["parts"], where, kinds),
    ...checkAlone(content, where),
  ]
}

/** Results of calls are a separate turn. */
function checkAlone(content: Fields, where: string): Problems {
  const results = callsIn(content, "functionResponse").length
  const parts = Array.isArray(content["parts"]) ? content["parts"].length : 0
  return results > 0 && results < parts ? [`${where}: a function response turn holds nothing else`] : []
}

/** A part has exactly one kind of content. */
export function checkParts(parts: unknown, where: string, kinds: readonly string[]): Problems {
  if (!Array.isArray(parts) || parts.length === 0) return [`${where}: parts must not be empty`]
  return parts.flatMap((part: unknown, at) => checkPart(part, `${where}.parts[${at}]`, kinds))
}

const data = ["text", "inlineData", "fileData", "functionCall", "functionResponse"]

function checkPart(part: unknown, where: string, kinds: readonly string[]): Problems {
  if (!isFields(part)) return [`${where} must be an object`]
  const held = data.filter((kind) => part[kind] !== undefined)
  const [kind = ""] = held
  if (held.length !== 1) return [`${where}: required oneof field 'data' must have one initialized field`]
  if (!kinds.includes(kind)) return [`${where}: ${kind} may not stand here`]
  return [
    ...checkFields(part, where, [kind, "thought", "thoughtSignature"], []),
    ...checkSignature(part["thoughtSignature"], where),
    ...checkData(kind, part[kind], part["thoughtSignature"] !== undefined, where),
  ]
}

/** Base64 bytes, or one of two documented placeholders for calls of other models. */
function checkSignature(signature: unknown, where: string): Problems {
  const words = oneOf(undefined, "skip_thought_signature_validator", "context_engineering_is_the_way_to_go")
  return words(signature) || isBase64(signature) ? [] : [`${where}: the thought signature is not valid base64`]
}

function checkData(kind: string, value: unknown, signed: boolean, where: string): Problems {
  if (kind === "text") {
    if (typeof value !== "string") return [`${where}: text must be text`]
    return value === "" && !signed ? [`${where}: text is empty`] : []
  }
  if (!isFields(value)) return [`${where}: ${kind} must be an object`]
  if (kind === "inlineData") return checkBlob(value, where)
  if (kind === "functionCall") return checkCall(value, where)
  return kind === "functionResponse" ? checkResult(value, where) : []
}

const imageTypes = oneOf("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif")

function checkBlob(blob: Fields, where: string): Problems {
  const problems = checkFields(blob, where, ["mimeType", "data"], ["mimeType", "data"])
  if (!imageTypes(blob["mimeType"])) problems.push(`${where}: unsupported MIME type ${String(blob["mimeType"])}`)
  return isBase64(blob["data"]) ? problems : [...problems, `${where}: base64 decoding failed`]
}

function checkCall(call: Fields, where: string): Problems {
  const problems = [...checkFields(call, where, ["id", "name", "args"], ["name"]), ...checkName(call["name"], where)]
  return call["args"] === undefined || isFields(call["args"])
    ? problems
    : [...problems, `${where}: args must be an object`]
}

function checkResult(result: Fields, where: string): Problems {
  const known = ["id", "name", "response", "parts", "willContinue", "scheduling"]
  const problems = [...checkFields(result, where, known, ["name", "response"]), ...checkName(result["name"], where)]
  return isFields(result["response"]) ? problems : [...problems, `${where}: response must be an object`]
}

function checkName(name: unknown, where: string): Problems {
  return isText(name) && /^[a-zA-Z_][\w.:-]{0,63}$/.test(name) ? [] : [`${where}: invalid function name`]
}
