import {
  checkFields,
  checkOptional,
  type Fields,
  isBase64,
  isBoolean,
  isFields,
  isImageType,
  isText,
  isToolName,
  type Problems,
} from "./check.ts"

/** One content block of the Messages API, where only `allowed` types may occur. */
export function checkBlock(block: unknown, where: string, allowed: readonly string[]): Problems {
  if (!isFields(block)) return [`${where} must be an object`]
  if (!allowed.includes(block["type"] as string))
    return [`${where}: a block of type ${String(block["type"])} may not stand here`]
  switch (block["type"]) {
    case "text":
      return [
        ...checkFields(block, where, ["type", "text", "cache_control", "citations"], []),
        ...(isText(block["text"]) ? [] : [`${where}: text must not be blank`]),
      ]
    case "image":
      return [
        ...checkFields(block, where, ["type", "source", "cache_control"], []),
        ...checkImage(block["source"], where),
      ]
    case "tool_use":
      return checkToolUse(block, where)
    case "tool_result":
      return checkToolResult(block, where)
    case "thinking":
      return [
        ...checkFields(block, where, ["type", "thinking", "signature"], ["thinking", "signature"]),
        ...(isText(block["signature"]) ? [] : [`${where}: a thinking block needs its signature`]),
      ]
    case "redacted_thinking":
      return [
        ...checkFields(block, where, ["type", "data"], []),
        ...(isText(block["data"]) ? [] : [`${where}: data is empty`]),
      ]
    default:
      return []
  }
}

function checkToolUse(block: Fields, where: string): Problems {
  const problems = checkFields(
    block,
    where,
    ["type", "id", "name", "input", "cache_control", "caller"],
    ["id", "name", "input"],
  )
  if (!isToolName(block["id"], 1000)) problems.push(`${where}: id must match ^[a-zA-Z0-9_-]+$`)
  if (!isToolName(block["name"], 128)) problems.push(`${where}: name must match ^[a-zA-Z0-9_-]{1,128}$`)
  if (!isFields(block["input"])) problems.push(`${where}: input must be an object`)
  return problems
}

function checkToolResult(block: Fields, where: string): Problems {
  const problems = checkFields(
    block,
    where,
    ["type", "tool_use_id", "content", "is_error", "cache_control"],
    ["tool_use_id"],
  )
  problems.push(...checkOptional(block, "is_error", where, isBoolean, "a boolean"))
  const content = block["content"]
  const empty = content === undefined || content === "" || (Array.isArray(content) && content.length === 0)
  if (empty)
    return block["is_error"] === true
      ? [...problems, `${where}: content may not be empty when is_error is true`]
      : problems
  if (typeof content === "string") return problems
  if (!Array.isArray(content)) return [...problems, `${where}: content must be text or a list of blocks`]
  return [
    ...problems,
    ...content.flatMap((part: unknown, i) => checkBlock(part, `${where}.content[${i}]`, ["text", "image", "document"])),
  ]
}

function checkImage(source: unknown, where: string): Problems {
  if (!isFields(source)) return [`${where}: an image needs a source`]
  if (source["type"] === "url") return isText(source["url"]) ? [] : [`${where}: url is empty`]
  if (source["type"] !== "base64") return [`${where}: unknown source ${String(source["type"])}`]
  const problems = checkFields(source, where, ["type", "media_type", "data"], [])
  if (!isImageType(source["media_type"]))
    problems.push(`${where}: images of type ${String(source["media_type"])} are not taken`)
  if (!isBase64(source["data"])) problems.push(`${where}: the image is not base64`)
  return problems
}
