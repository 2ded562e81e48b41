import type { FileContent } from "@gong/spec"

export function partsOf(content: FileContent): readonly Uint8Array[] {
  return content instanceof Uint8Array ? [content] : content
}

/** In one piece. If parts are joined the result is a copy. */
export function joined(content: FileContent): Uint8Array {
  return Buffer.concat(partsOf(content))
}
