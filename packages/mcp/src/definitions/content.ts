import { isRecord } from "@gong/spec"
import { visibleText } from "./clean.ts"
import { limits } from "./limits.ts"

/** A part of a result. `data` is base64. */
export type ResultPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mimeType: string; readonly data: string }
  /** Bytes that no model reads, for a file. */
  | { readonly kind: "bytes"; readonly mimeType: string; readonly data: string; readonly name: string }

export interface ServerResult {
  readonly parts: readonly ResultPart[]
  readonly isError: boolean
}

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

/** The result of a call, a resource or a prompt, without invisible characters; what has no known form is left out. */
export function resultOf(result: unknown): ServerResult {
  if (!isRecord(result)) return { parts: [], isError: true }
  const { content, contents, structuredContent, isError } = result
  const listed: readonly unknown[] = Array.isArray(content) ? content : []
  const embedded: readonly unknown[] = Array.isArray(contents) ? contents : []
  const parts = [
    ...listed.slice(0, limits.parts).flatMap(partOf),
    ...embedded.slice(0, limits.parts).flatMap((one) => resourceParts(one)),
  ]
  const structured = parts.length === 0 && structuredContent !== undefined
  return {
    parts: structured ? [textPart(JSON.stringify(structuredContent, null, 2))] : parts,
    isError: isError === true,
  }
}

function partOf(block: unknown): readonly ResultPart[] {
  if (!isRecord(block)) return []
  const { type, text, data, mimeType } = block
  switch (type) {
    case "text":
      return typeof text === "string" ? [textPart(text)] : []
    case "image":
      return typeof data === "string" ? [bytesPart(data, mimeType, "image")] : []
    case "audio":
      return typeof data === "string" ? [bytesPart(data, mimeType, "audio")] : []
    case "resource":
      return resourceParts(block["resource"])
    case "resource_link":
      return [textPart(linkText(block))]
    default:
      return []
  }
}

function resourceParts(resource: unknown): readonly ResultPart[] {
  if (!isRecord(resource)) return []
  const { uri, text, blob, mimeType } = resource
  const name = typeof uri === "string" ? uri : "resource"
  if (typeof text === "string") return [textPart(text)]
  return typeof blob === "string" ? [bytesPart(blob, mimeType, name)] : []
}

function linkText({ uri, name, description }: Readonly<Record<string, unknown>>): string {
  return [uri, name, description]
    .filter((one) => typeof one === "string")
    .join("  ")
    .slice(0, 1_000)
}

function textPart(text: string): ResultPart {
  return { kind: "text", text: visibleText(text) }
}

function bytesPart(data: string, type: unknown, name: string): ResultPart {
  const mimeType = typeof type === "string" && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type.toLowerCase() : "unknown type"
  if (imageTypes.has(mimeType)) return { kind: "image", mimeType, data }
  return { kind: "bytes", mimeType, data, name: visibleText(name).slice(0, 200) }
}

/** The text of a prompt's messages, for the user's message. */
export function promptText(result: unknown): string {
  const messages: readonly unknown[] = isRecord(result) && Array.isArray(result["messages"]) ? result["messages"] : []
  const parts = messages.flatMap((message) => (isRecord(message) ? partOf(message["content"]) : []))
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n")
}
