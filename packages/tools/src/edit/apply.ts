import type { Encoded } from "../encoding/codec.ts"
import type { Range } from "./match.ts"
import type { View } from "./view.ts"

export type Applied =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string }

/** The bytes of the file after the change: what is outside the ranges is copied as it is, inserted lines end like the file's. */
export function applyRanges(bytes: Uint8Array, view: View, ranges: readonly Range[], path: string): Applied {
  const places = view.bytesAt(ranges.flatMap(({ start, end }) => [start, end]))
  const parts: Uint8Array[] = []
  let done = 0
  for (const [index, range] of ranges.entries()) {
    const start = places[2 * index] ?? -1
    const end = places[2 * index + 1] ?? -1
    if (!range.text.isWellFormed()) return { ok: false, message: halfText(path) }
    const added = encode(view, range.text)
    if (!added.ok) return { ok: false, message: lackingText(added, view, path) }
    if (start === -1 || end === -1 || maybeInside(bytes, start, view)) return { ok: false, message: insideText(path) }
    parts.push(bytes.subarray(done, start), added.bytes)
    done = end
  }
  parts.push(bytes.subarray(done))
  return { ok: true, bytes: Buffer.concat(parts) }
}

function encode(view: View, text: string): Encoded {
  return view.encode(view.ending === "\n" ? text : text.replaceAll("\n", view.ending))
}

/** In an encoding that nobody knows, a byte behind one that is not ASCII may be the rest of a character. */
function maybeInside(bytes: Uint8Array, start: number, view: View): boolean {
  return view.encoding === "unknown" && (bytes[start - 1] ?? 0) >= 0x80
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
