import type { Event } from "@gong/spec"

/** A line without its number and time; responses of `gong rpc` are lines too. */
export interface Line {
  readonly type: string
  readonly [field: string]: unknown
}

/** Maximum bytes of a line (interface part 3). */
export const maxLine = 1_000_000
/** Maximum characters of each text in a line above that. */
const maxText = 100_000

/** Writes events with their number and time. */
export function lineWriter(out: (text: string) => void, now: () => number): (line: Event | Line) => void {
  let seq = 0
  return (line) => {
    seq += 1
    out(eventLine(line, seq, new Date(now()).toISOString()))
  }
}

/** An event as a line of at most 1 MB; `time` is ISO 8601, UTC. The type comes first, so that clients can filter by prefix. */
export function eventLine({ type, ...rest }: Event | Line, seq: number, time: string): string {
  const numbered = { type, seq, time, ...rest }
  const line = JSON.stringify(numbered)
  return `${fits(line) ? line : JSON.stringify(shortened(numbered))}\n`
}

/** A UTF-16 unit has at most three bytes, so only long lines are encoded to count them. */
function fits(line: string): boolean {
  return line.length * 3 <= maxLine || (line.length <= maxLine && new TextEncoder().encode(line).length <= maxLine)
}

/** A copy with long texts truncated; the tape has them complete. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length <= maxText ? value : `${value.slice(0, maxText)}... [cut: ${value.length} characters]`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]))
}
