import type { Codec, Encoded } from "../encoding/codec.ts"
import { type Encoding, readingOf } from "../encoding/decode.ts"
import { type Body, type LineNumbers, lineNumbersOf } from "./line-numbers.ts"

/**
 * A file to search in. Positions are byte offsets, and text is decoded on demand: decoding a large file would double
 * its memory. A cut is an offset where decoding may start or end: after a `\n`, which is inside no character of any
 * encoding, or at the start or end of the text.
 */
export interface View extends Body {
  readonly encoding: Encoding
  /** The line ending of the first line; `\n` if there is only one line. */
  readonly ending: Ending
  readonly lines: LineNumbers
  /** The text between two offsets, which must be cuts or ends of matches. */
  part(from: number, to: number): Part
  /** Next occurrence of bytes at or after an offset; -1 if none. It may start inside a character. */
  find(bytes: Uint8Array, from: number): number
  /** The cut this many lines above the line of an offset; with 0 lines the start of that line. */
  cutAbove(place: number, lines: number): number
  /** The cut this many lines below an offset; with 1 line the start of the next line. */
  cutBelow(place: number, lines: number): number
  /** Encodes with the file's own line ending. */
  encode(text: string): Encoded
}

export type Ending = "\n" | "\r\n" | "\r"

/** A part of a file as text with `\n` line ends. */
export interface Part {
  readonly text: string
  /** The byte offset of a text offset; -1 inside a character. Fast for ascending offsets. */
  byteOf(place: number): number
}

export function viewOf(file: Uint8Array): View {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const { encoding, mark: start, codec } = readingOf(bytes)
  const { unit } = codec
  const end = bytes.length - ((bytes.length - start) % unit)
  const aligned = (at: number) => (at - start) % unit === 0
  const find = (wanted: Uint8Array, from: number) => {
    let at = bytes.indexOf(wanted, from)
    while (at !== -1 && !aligned(at)) at = bytes.indexOf(wanted, at + 1)
    return at
  }
  const newline = bytesOf(codec, "\n")
  const behindNext = (place: number) => {
    const at = find(newline, place)
    return at === -1 ? end : at + unit
  }
  const behindLast = (place: number) => {
    // A negative index would count from the end.
    for (let at = place - unit; at >= start; at--) {
      at = bytes.lastIndexOf(newline, at)
      if (at < start) break
      if (aligned(at)) return at + unit
    }
    return start
  }
  const ending = endingOf(find(bytesOf(codec, "\r"), start), find(newline, start), unit)
  const body = { bytes, start, end, unit, bigEndian: encoding === "utf-16be" }
  return {
    ...body,
    encoding,
    ending,
    lines: lineNumbersOf(body),
    part: (from, to) => partOf(codec, bytes.subarray(from, to), from),
    find,
    cutAbove(place, lines) {
      let cut = behindLast(place)
      for (let more = lines; more > 0 && cut > start; more--) cut = behindLast(cut - unit)
      return cut
    },
    cutBelow(place, lines) {
      let cut = place
      for (let more = lines; more > 0 && cut < end; more--) cut = behindNext(cut)
      return cut
    },
    encode: (text) => codec.encode(ending === "\n" ? text : text.replaceAll("\n", ending)),
  }
}

/** Text from the model in the form that a part has. */
export function toView(text: string): string {
  return toNewlines(text.startsWith("\uFEFF") ? text.slice(1) : text)
}

function toNewlines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text
}

function bytesOf(codec: Codec, character: "\n" | "\r"): Uint8Array {
  const encoded = codec.encode(character)
  return encoded.ok ? encoded.bytes : new Uint8Array()
}

function endingOf(cr: number, lf: number, unit: number): Ending {
  if (cr === -1 || (lf !== -1 && lf < cr)) return "\n"
  return lf === cr + unit ? "\r\n" : "\r"
}

function partOf(codec: Codec, bytes: Uint8Array, start: number): Part {
  const raw = codec.decode(bytes)
  const text = toNewlines(raw)
  const pairs = text.length === raw.length ? [] : pairsOf(raw)
  let from = 0
  let at = 0
  return {
    text,
    byteOf(place) {
      const to = place + countBelow(pairs, place)
      if (to < from) from = at = 0
      const byte = codec.byteOf(bytes, at, raw, from, to)
      if (byte === -1) return -1
      from = to
      at = byte
      return start + byte
    },
  }
}

/** Offsets in the text of newlines that were `\r\n`, in order. */
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
