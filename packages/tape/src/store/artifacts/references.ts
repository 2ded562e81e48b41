import { type Entry, type ImageContent, isRecord, maxWrappedDepth, parseJson, type UserContent } from "@gong/spec"
import type { ArtifactFiles } from "./artifacts.ts"

/** Details of more characters than this are stored beside the tape (design section 3). */
const detailsLimit = 64 * 1024

/** Replaces, in a line, a value that is stored in `artifacts/`. */
interface Reference {
  readonly $artifact: string
}

type Put = (bytes: Uint8Array) => string
type Get = ArtifactFiles["get"]

/** The entry with every image replaced by a reference. The same object when it has no images. */
export function externalizeImages(entry: Entry, put: Put): Entry {
  const out = (image: ImageContent): ImageContent => ({ ...image, data: refer(put(Buffer.from(image.data, "base64"))) })
  return mapImages(entry, (block) => (block.type === "image" && typeof block.data === "string" ? out(block) : block))
}

/** The entry with large details replaced by a reference. The same object when they are small. */
export function externalizeDetails(entry: Entry, put: Put): Entry {
  if (entry.type !== "message" || entry.message.role !== "tool" || entry.message.details === null) return entry
  const text = JSON.stringify(entry.message.details)
  if (text.length <= detailsLimit) return entry
  return { ...entry, message: { ...entry.message, details: { $artifact: put(Buffer.from(text)) } } }
}

/** Whether a line may have details that `externalizeDetails` replaces. */
export const mayHaveLargeDetails = (line: Uint8Array): boolean => line.length > detailsLimit

/** The entry as it was appended. A missing artifact is named in its place, so that it is not taken for empty content. */
export function resolveReferences(entry: Entry, get: Get): Entry {
  const whole = mapImages(entry, (block) => {
    const name = block.type === "image" ? referenceOf(block.data) : null
    if (block.type !== "image" || name === null) return block
    const bytes = get(name)
    return bytes === null ? missingImage(name) : { ...block, data: Buffer.from(bytes).toString("base64") }
  })
  if (whole.type !== "message" || whole.message.role !== "tool") return whole
  const name = referenceOf(whole.message.details)
  if (name === null) return whole
  const bytes = get(name)
  const details = bytes === null ? null : parseJson(Buffer.from(bytes).toString(), maxWrappedDepth)
  return { ...whole, message: { ...whole.message, details: isRecord(details) ? details : { missing: name } } }
}

function mapImages(entry: Entry, map: (block: UserContent) => UserContent): Entry {
  switch (entry.type) {
    case "message": {
      const { message } = entry
      if (message.role === "assistant" || !hasImage(message.content)) return entry
      return { ...entry, message: { ...message, content: message.content.map(map) } }
    }
    case "custom_message":
      return hasImage(entry.content) ? { ...entry, content: entry.content.map(map) } : entry
    case "input":
      return entry.images === undefined ? entry : { ...entry, images: entry.images.map(map).filter(isImage) }
    default:
      return entry
  }
}

/** Lines of other programs may contain anything here; it is passed on unchanged. */
function hasImage(content: unknown): boolean {
  return Array.isArray(content) && content.some((block: UserContent | null) => block?.type === "image")
}

function isImage(block: UserContent): block is ImageContent {
  return block.type === "image"
}

/** Typed as text; in a line it is an object, which only this file handles. */
function refer(name: string): string {
  return { $artifact: name } satisfies Reference as unknown as string
}

function referenceOf(value: unknown): string | null {
  const name = (value as Partial<Reference> | null | undefined)?.$artifact
  return typeof name === "string" ? name : null
}

function missingImage(name: string): UserContent {
  return { type: "text", text: `[image is missing: ${name}]` }
}
