import type { Host } from "@gong/spec"
import type { Match } from "./search.ts"

export interface Around {
  readonly before: number
  readonly after: number
}

/** How far around a match lines are looked for, and the largest part of a file that is read for them. */
const REACH_BYTES = 64 * 1024
const SPAN_MAX_BYTES = 8 * 1024 * 1024
const NEWLINE = 10

/** Lines around the matches of one file, by number; read once for all of them. Empty when the file changed since. */
export async function linesAround(
  host: Host,
  path: string,
  matches: readonly Match[],
  around: Around,
): Promise<ReadonlyMap<number, string>> {
  const lines = new Map<number, string>()
  const first = matches[0]
  const last = matches.at(-1)
  if (first === undefined || last === undefined) return lines
  const from = Math.max(0, first.offset - REACH_BYTES)
  const to = last.offset + Buffer.byteLength(last.text) + REACH_BYTES
  if (to - from > SPAN_MAX_BYTES) return lines
  const bytes = Buffer.from(await host.readRange(path, from, to))
  for (const match of matches) {
    const at = match.offset - from
    if (lineAt(bytes, at).text !== match.text) return new Map()
    addBefore(lines, bytes, { at, line: match.line, count: around.before, cutStart: from > 0 })
    addAfter(lines, bytes, { at, line: match.line, count: around.after })
  }
  return lines
}

function addBefore(
  lines: Map<number, string>,
  bytes: Buffer,
  from: { at: number; line: number; count: number; cutStart: boolean },
): void {
  let end = from.at - 1
  for (let back = 1; back <= from.count && end >= 0; back++) {
    const start = end === 0 ? 0 : bytes.lastIndexOf(NEWLINE, end - 1) + 1
    // The window may begin inside a line.
    if (start === 0 && from.cutStart) return
    lines.set(from.line - back, lineAt(bytes, start).text)
    end = start - 1
  }
}

function addAfter(lines: Map<number, string>, bytes: Buffer, from: { at: number; line: number; count: number }): void {
  let start = lineAt(bytes, from.at).next
  for (let on = 1; on <= from.count && start < bytes.length; on++) {
    const { text, next } = lineAt(bytes, start)
    lines.set(from.line + on, text)
    start = next
  }
}

function lineAt(bytes: Buffer, start: number): { text: string; next: number } {
  const newline = bytes.indexOf(NEWLINE, start)
  const end = newline === -1 ? bytes.length : newline
  return { text: bytes.toString("utf8", start, end).replace(/\r$/, ""), next: end + 1 }
}
