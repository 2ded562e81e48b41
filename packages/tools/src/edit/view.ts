/**
 * A file as text to search in: one character per byte (so that nothing is lost and a match is a range of bytes),
 * without its byte order mark, every line ending a plain newline.
 */
export interface View {
  readonly text: string
  /** What the file's first line ends with; a newline when it has one line. */
  readonly ending: "\n" | "\r\n" | "\r"
  /** Byte offset in the file of a place in `text`. */
  toByte(at: number): number
}

const BOM = "\xef\xbb\xbf"

export function viewOf(bytes: Uint8Array): View {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  const base = all.startsWith(BOM) ? BOM.length : 0
  const text = base === 0 ? all : all.slice(base)
  if (!text.includes("\r")) return { text, ending: "\n", toByte: (at) => base + at }
  const pairs = pairsOf(text)
  return {
    text: toNewlines(text),
    ending: endingOf(text),
    toByte: (at) => base + at + countBelow(pairs, at),
  }
}

/** A text of the model in the same form. */
export function toView(text: string): string {
  return Buffer.from(toNewlines(text.startsWith("\uFEFF") ? text.slice(1) : text)).toString("latin1")
}

/** A part of a view as a person reads it. */
export function fromView(text: string): string {
  return Buffer.from(text, "latin1").toString()
}

function toNewlines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text
}

function endingOf(text: string): View["ending"] {
  const at = text.search(/[\r\n]/)
  if (text[at] !== "\r") return "\n"
  return text[at + 1] === "\n" ? "\r\n" : "\r"
}

/** Where in the plain text each newline stands that was two bytes, in order. */
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
