import type { Event } from "@gong/spec"

/** What a line needs beside its number and its date; responses of `gong rpc` are lines as well. */
export interface Line {
  readonly type: string
  readonly [field: string]: unknown
}

/** Bytes of one line (interface part 3). */
export const maxLine = 1_000_000
/** Characters of one text in a line that was longer. */
const maxText = 100_000

/** Numbers and dates each event as it comes. */
export function lineWriter(out: (text: string) => void, now: () => number): (line: Event | Line) => void {
  let seq = 0
  return (line) => {
    seq += 1
    out(eventLine(line, seq, new Date(now()).toISOString()))
  }
}

/** An event as its line of at most 1 MB; `time` is ISO 8601, UTC. The type comes first, so that a line can be told by its beginning. */
export function eventLine({ type, ...rest }: Event | Line, seq: number, time: string): string {
  const numbered = { type, seq, time, ...rest }
  const line = JSON.stringify(numbered)
  return `${fits(line) ? line : JSON.stringify(shortened(numbered))}\n`
}

/** A character is at most three bytes: only long lines have to be counted. */
function fits(line: string): boolean {
  return line.length * 3 <= maxLine || (line.length <= maxLine && new TextEncoder().encode(line).length <= maxLine)
}

/** A copy whose long texts are cut and say so; the tape has them whole. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length <= maxText ? value : `${value.slice(0, maxText)}... [cut: ${value.length} characters]`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]))
}
