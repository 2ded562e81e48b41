import type { FileContent } from "@gong/spec"

export function partsOf(content: FileContent): readonly Uint8Array[] {
  return content instanceof Uint8Array ? [content] : content
}

/** In one piece, which is a copy when there were several. */
export function joined(content: FileContent): Uint8Array {
  if (content instanceof Uint8Array) return content
  return content.length === 1 && content[0] !== undefined ? content[0] : Buffer.concat(content)
}
