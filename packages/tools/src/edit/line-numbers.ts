import { countNewlines, NEWLINE } from "../files/newlines.ts"

/** The bytes in which lines are counted. */
export interface Body {
  readonly bytes: Uint8Array
  /** Start of the text after the byte order mark, and its end. */
  readonly start: number
  readonly end: number
  /** Bytes per code unit, and the byte order of 2-byte units. */
  readonly unit: 1 | 2
  readonly bigEndian: boolean
}

/** Maps byte offsets to lines. Counted from 0 here, from 1 in messages. */
export interface LineNumbers {
  count(): number
  at(place: number): number
  /** Byte offset of the start of a line. */
  start(line: number): number
}

/** Line numbers are stored once per stride: an index of every line would be as large as the file. */
const STRIDE_BYTES = 4096

/** Counts lazily, up to the requested offset. */
export function lineNumbersOf(body: Body): LineNumbers {
  let counter: Counter | undefined
  const count: Counter = (from, to) => (counter ??= counterOf(body))(from, to)
  /** The line number at the start of each stride. */
  const firsts = [0]
  const placeOf = (stride: number) => body.start + stride * STRIDE_BYTES
  const at = (place: number) => {
    const stride = Math.floor((place - body.start) / STRIDE_BYTES)
    for (let next = firsts.length; next <= stride; next++)
      firsts.push((firsts[next - 1] ?? 0) + count(placeOf(next - 1), placeOf(next)))
    return (firsts[stride] ?? 0) + count(placeOf(stride), place)
  }
  return {
    count: () => at(body.end) + 1,
    at,
    start(line) {
      if (line > at(body.end)) return body.end
      const stride = Math.max(
        0,
        firsts.findLastIndex((first) => first < line),
      )
      let place = placeOf(stride)
      for (let now = firsts[stride] ?? 0; now < line; place += body.unit) now += count(place, place + body.unit)
      return place
    },
  }
}

/** Number of line ends in a byte range: each `\n`, and each `\r` not followed by `\n`. */
type Counter = (from: number, to: number) => number

function counterOf({ bytes, unit, bigEndian }: Body): Counter {
  if (unit === 2) return (from, to) => countWide(bytes, from, to, bigEndian)
  if (bytes.includes(RETURN)) return (from, to) => countBoth(bytes, from, to)
  return (from, to) => countNewlines(bytes.subarray(from, to))
}

function countBoth(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === NEWLINE || (byte === RETURN && bytes[at + 1] !== NEWLINE)) count++
  }
  return count
}

function countWide(bytes: Uint8Array, from: number, to: number, bigEndian: boolean): number {
  const [low, high] = bigEndian ? [1, 0] : [0, 1]
  const codeAt = (at: number) => (bytes[at + high] === 0 ? bytes[at + low] : -1)
  let count = 0
  for (let at = from; at < to; at += 2) {
    const code = codeAt(at)
    if (code === NEWLINE || (code === RETURN && codeAt(at + 2) !== NEWLINE)) count++
  }
  return count
}

const RETURN = 13
