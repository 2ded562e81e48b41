import type { Encoded } from "../encoding/codec.ts"
import type { Range } from "./matching/match.ts"
import type { View } from "./view.ts"

export type Applied =
  /** The bytes of the file after the change, in consecutive parts. Unchanged bytes are not copied. */
  { readonly ok: true; readonly parts: readonly Uint8Array[] } | { readonly ok: false; readonly message: string }

/**
 * Bytes outside the ranges stay unchanged. Inserted lines use the file's line ending. Ranges are sorted and do not
 * overlap.
 */
export function applyRanges(view: View, ranges: readonly Range[], path: string): Applied {
  const { bytes } = view
  const parts: Uint8Array[] = []
  let done = 0
  for (const { start, end, text } of ranges) {
    if (!text.isWellFormed()) return { ok: false, message: halfText(path) }
    const added = view.encode(text)
    if (!added.ok) return { ok: false, message: lackingText(added, view, path) }
    if (maybeInside(view, start)) return { ok: false, message: insideText(path) }
    parts.push(bytes.subarray(done, start), added.bytes)
    done = end
  }
  parts.push(bytes.subarray(done))
  return { ok: true, parts: mergeSmallParts(parts) }
}

const SMALL_MAX_BYTES = 4096

/** Merges small consecutive parts, since each costs more than copying it. */
function mergeSmallParts(parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const joined: Uint8Array[] = []
  let small: Uint8Array[] = []
  const flush = () => {
    if (small.length > 0) joined.push(Buffer.concat(small))
    small = []
  }
  for (const part of parts) {
    if (part.length <= SMALL_MAX_BYTES) small.push(part)
    else {
      flush()
      joined.push(part)
    }
  }
  flush()
  return joined
}

/** In an unknown encoding, a byte after a non-ASCII byte may be part of a character. */
function maybeInside({ bytes, encoding }: View, start: number): boolean {
  return encoding === "unknown" && (bytes[start - 1] ?? 0) >= 0x80
}

function lackingText(lacking: Encoded & { ok: false }, view: View, path: string): string {
  const code = `U+${(lacking.character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
  const end = "Nothing was changed."
  const character = `${JSON.stringify(lacking.character)} (${code})`
  if (view.encoding === "unknown")
    return `${path} is not UTF-8 and its encoding is not known, so ${character} of newText cannot be written into it. ${end} Use ASCII, or convert the file to UTF-8 first, e.g. with bash and iconv.`
  const why = lacking.twice ? `has two codes in ${view.encoding}` : `does not exist in ${view.encoding}`
  return `${character} of newText ${why}, the encoding of ${path}. ${end} Use other characters, or convert the file to UTF-8 first, e.g. with bash and iconv.`
}

function halfText(path: string): string {
  return `newText holds half of a surrogate pair, which is no character. ${path} was not changed; give whole characters.`
}

function insideText(path: string): string {
  return `oldText begins or ends inside a character of ${path}. Nothing was changed; take one more character into oldText and newText.`
}
