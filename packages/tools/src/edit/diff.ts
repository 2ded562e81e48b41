import { shown } from "../encoding/codec.ts"
import { truncateLine } from "../truncate.ts"
import type { Range } from "./matching/match.ts"
import type { View } from "./view.ts"

export interface Diff {
  /** Rows with line numbers: `- 12 old`, `+ 12 new`, context, `...` for omitted lines. */
  readonly diff: string
  /** Counted from 1, in the new file. */
  readonly firstChangedLine: number
  readonly added: number
  readonly removed: number
}

const CONTEXT_LINES = 4
const ROW_MAX_CHARS = 500
const ROWS_MAX = 2000

/** Builds the diff from the changed ranges, without comparing two files. Ranges are sorted and do not overlap. */
export function diffOf(view: View, ranges: readonly Range[]): Diff {
  let added = 0
  let removed = 0
  const sections = sectionsOf(view, ranges).map((section) => {
    const hunks = hunksOf(section, added - removed)
    for (const hunk of hunks) {
      added += hunk.added.length
      removed += hunk.removed.length
    }
    return { ...section, hunks }
  })
  const firstChangedLine = sections[0]?.hunks[0]?.newLine ?? 1
  return { diff: rowsOf(view, sections).join("\n"), firstChangedLine, added, removed }
}

/** Changes whose context overlaps, with that context. */
interface Section {
  /** Line boundaries of the file. */
  readonly from: number
  readonly to: number
  /** Number of its first line, from 1. */
  readonly line: number
  readonly text: string
  /** Offsets in `text`. */
  readonly ranges: readonly Range[]
}

function sectionsOf(view: View, ranges: readonly Range[]): readonly Section[] {
  const sections: Section[] = []
  for (let at = 0; at < ranges.length;) {
    const first = at
    const from = view.cutAbove(ranges[at]?.start ?? view.start, CONTEXT_LINES)
    let end = from
    // End of the context known so far, so that many changes on adjacent lines do not read it again.
    let to = from
    for (let next = ranges[at]; next !== undefined; next = ranges[++at]) {
      if (at > first && next.start >= to) {
        to = view.cutBelow(end, CONTEXT_LINES + 1)
        if (view.cutAbove(next.start, CONTEXT_LINES) >= to) break
      }
      end = next.end
    }
    to = view.cutBelow(end, CONTEXT_LINES + 1)
    sections.push(sectionOf(view, from, to, ranges.slice(first, at)))
  }
  return sections
}

function sectionOf(view: View, from: number, to: number, ranges: readonly Range[]): Section {
  const parts: string[] = []
  let length = 0
  let done = from
  /** Length of the text when it reaches this offset. */
  const take = (place: number) => {
    const { text } = view.part(done, place)
    parts.push(text)
    done = place
    return (length += text.length)
  }
  const inText = ranges.map(({ start, end, text }) => ({ start: take(start), end: take(end), text }))
  take(to)
  return { from, to, line: view.lines.at(from) + 1, text: parts.join(""), ranges: inText }
}

/** A block of changed lines. */
interface Hunk {
  /** Offsets in the section's text: start of the first line, and start of the line after the last. */
  readonly start: number
  readonly end: number
  readonly oldLine: number
  readonly newLine: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

function hunksOf({ text, ranges, line: firstLine }: Section, before: number): readonly Hunk[] {
  const hunks: Hunk[] = []
  let line = firstLine
  let counted = 0
  let delta = before
  for (let at = 0; at < ranges.length;) {
    const first = ranges[at]
    if (first === undefined) break
    const start = first.start === 0 ? 0 : text.lastIndexOf("\n", first.start - 1) + 1
    let end = lineEnd(text, first.end)
    let now = text.slice(start, first.start)
    let done = first.start
    for (let next: Range | undefined = first; next !== undefined && next.start <= end; next = ranges[++at]) {
      now += text.slice(done, next.start) + next.text
      done = next.end
      if (next.end > end) end = lineEnd(text, next.end)
    }
    now += text.slice(done, end)
    for (let newline = text.indexOf("\n", counted); newline !== -1 && newline < start;) {
      line++
      counted = newline + 1
      newline = text.indexOf("\n", counted)
    }
    const hunk = trimmed({
      start,
      end,
      oldLine: line,
      newLine: line + delta,
      removed: text.slice(start, end).split("\n"),
      added: now.split("\n"),
    })
    delta += hunk.added.length - hunk.removed.length
    hunks.push(hunk)
  }
  return hunks
}

/** Removes equal lines at both ends. `end` becomes the start of the following line. */
function trimmed(hunk: Hunk): Hunk {
  const { removed, added } = hunk
  const short = Math.min(removed.length, added.length)
  let head = 0
  let start = hunk.start
  while (head < short && removed[head] === added[head]) start += (removed[head++]?.length ?? 0) + 1
  let tail = 0
  let end = hunk.end + 1
  while (tail < short - head && removed.at(-1 - tail) === added.at(-1 - tail))
    end -= (removed.at(-1 - tail++)?.length ?? 0) + 1
  return {
    start,
    end,
    oldLine: hunk.oldLine + head,
    newLine: hunk.newLine + head,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
  }
}

function rowsOf(view: View, sections: readonly (Section & { hunks: readonly Hunk[] })[]): readonly string[] {
  const last = sections.at(-1)?.hunks.at(-1)
  const width = String(last ? last.newLine + last.added.length + CONTEXT_LINES : 1).length
  const rows: string[] = []
  const row = (sign: string, line: number, content: string) =>
    rows.push(`${sign} ${String(line).padStart(width)} ${truncateLine(shown(content), ROW_MAX_CHARS).content}`)
  const gap = `     ${" ".repeat(width)}...`
  /** End of what is shown so far; null after omitted lines. */
  let place: number | null = view.start
  for (const { from, to, text, hunks } of sections) {
    let shownTo: number = from === place ? 0 : -1
    for (const [at, hunk] of hunks.entries()) {
      if (rows.length > ROWS_MAX) return [...rows, gap]
      const before = linesBefore(text, hunk.start, Math.max(0, shownTo))
      if (hunk.start - before.length > shownTo) rows.push(gap)
      for (const [i, content] of before.lines.entries()) row(" ", hunk.newLine - before.lines.length + i, content)
      for (const [i, content] of hunk.removed.entries()) row("-", hunk.oldLine + i, content)
      for (const [i, content] of hunk.added.entries()) row("+", hunk.newLine + i, content)
      const after = linesAfter(text, hunk.end, hunks[at + 1]?.start ?? text.length)
      for (const [i, content] of after.lines.entries()) row(" ", hunk.newLine + hunk.added.length + i, content)
      shownTo = hunk.end + after.length
    }
    place = shownTo < text.length ? null : to
  }
  if (place !== view.end) rows.push(gap)
  return rows
}

/** Up to four lines that end at `at`, not before `floor`. */
function linesBefore(text: string, at: number, floor: number): { lines: readonly string[]; length: number } {
  const lines: string[] = []
  let end = at
  while (lines.length < CONTEXT_LINES && end > floor) {
    const start = end < 2 ? 0 : text.lastIndexOf("\n", end - 2) + 1
    lines.unshift(text.slice(start, end - 1))
    end = start
  }
  return { lines, length: at - end }
}

function linesAfter(text: string, at: number, ceiling: number): { lines: readonly string[]; length: number } {
  const lines: string[] = []
  let start = at
  while (lines.length < CONTEXT_LINES && start < ceiling) {
    const end = lineEnd(text, start)
    lines.push(text.slice(start, end))
    start = end + 1
  }
  return { lines, length: start - at }
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from)
  return newline === -1 ? text.length : newline
}
