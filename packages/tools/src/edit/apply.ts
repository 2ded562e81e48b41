import type { Range } from "./match.ts"
import type { View } from "./view.ts"

/** The bytes of the file after the change: what is outside the ranges is copied as it is, inserted lines end like the file's. */
export function applyRanges(bytes: Uint8Array, view: View, ranges: readonly Range[]): Uint8Array {
  const parts: Uint8Array[] = []
  let done = 0
  for (const range of ranges) {
    const text = view.ending === "\n" ? range.text : range.text.replaceAll("\n", view.ending)
    parts.push(bytes.subarray(done, view.toByte(range.start)), Buffer.from(text, "latin1"))
    done = view.toByte(range.end)
  }
  parts.push(bytes.subarray(done))
  return Buffer.concat(parts)
}
