import type { Encoded } from "../encoding/codec.ts"
import { decodeFile, type Encoding } from "../encoding/decode.ts"

/** A file as text to search in: decoded, without its byte order mark, every line ending a plain newline. */
export interface View {
  readonly text: string
  readonly encoding: Encoding
  /** What the file's first line ends with; a newline when it has one line. */
  readonly ending: "\n" | "\r\n" | "\r"
  /** Byte offsets in the file of ascending places in `text`; -1 for a place inside a character. */
  bytesAt(places: readonly number[]): readonly number[]
  encode(text: string): Encoded
}

export function viewOf(bytes: Uint8Array): View {
  const decoded = decodeFile(bytes)
  const { text } = decoded
  if (!text.includes("\r")) return { ...decoded, ending: "\n" }
  const pairs = pairsOf(text)
  return {
    ...decoded,
    text: toNewlines(text),
    ending: endingOf(text),
    bytesAt: (places) => decoded.bytesAt(places.map((at) => at + countBelow(pairs, at))),
  }
}

/** A text of the model in the same form. */
export function toView(text: string): string {
  return toNewlines(text.startsWith("\uFEFF") ? text.slice(1) : text)
}

function toNewlines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text
}

function endingOf(text: string): View["ending"] {
  const at = text.search(/[\r\n]/)
  if (text[at] !== "\r") return "\n"
  return text[at + 1] === "\n" ? "\r\n" : "\r"
}

/** Where in the plain text each newline stands that was two characters, in order. */
function pairsOf(text: string): readonly number[] {
  const pairs: number[] = []
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) pairs.push(at - pairs.length)
  return pairs
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
