import { anchorsOf } from "./normalize.ts"
import type { View } from "../view.ts"

/** A part of a file in which a text is looked for; both ends are cuts. */
export interface Window {
  readonly from: number
  readonly to: number
  /** What begins here or behind it is another window's. */
  readonly until: number
}

/** Parts of a pattern that are looked for, until one is found in few lines. */
const ANCHORS_MAX = 6
const FEW_LINES = 20
/** Around more lines than this, going through all of them costs less. */
const HITS_MAX = 1000
const LINES_MAX = 20_000
/** What is decoded at once when it is all of them: small enough for its text to live in memory that is used again and again. */
const BLOCK_BYTES = 64 * 1024

/**
 * Where a text may stand, by what it is when it is normalized: around each place of a part of it that normalizing never
 * changes, or everywhere: also where that is little.
 */
export function windowsOf(view: View, pattern: string): readonly Window[] {
  const newlines = countNewlines(pattern)
  if (view.end - view.start <= BLOCK_BYTES) return blocksOf(view, newlines)
  let most = Math.min(HITS_MAX, Math.ceil(LINES_MAX / (newlines + 1)))
  let hits: readonly number[] | null = null
  let above = 0
  for (const { text, index } of anchorsOf(pattern).slice(0, ANCHORS_MAX)) {
    const found = linesWith(view, text, most)
    if (found === null) continue
    hits = found
    most = found.length
    above = countNewlines(pattern.slice(0, index))
    if (found.length <= FEW_LINES) break
  }
  return hits === null ? blocksOf(view, newlines) : around(view, hits, above, newlines - above)
}

/** A place in each line that may hold a part; null when they are more than `most`, or when it has no bytes of its own. */
function linesWith(view: View, part: string, most: number): readonly number[] | null {
  const encoded = view.encode(part)
  if (!encoded.ok) return null
  const found: number[] = []
  for (let at = view.find(encoded.bytes, view.start); at !== -1;) {
    if (found.length === most) return null
    found.push(at)
    at = view.find(encoded.bytes, view.cutBelow(at, 1))
  }
  return found
}

/** Windows that touch are one, so all together are never more than the file. */
function around(view: View, hits: readonly number[], above: number, below: number): readonly Window[] {
  const windows: Window[] = []
  for (const hit of hits) {
    const from = view.cutAbove(hit, above)
    const to = view.cutBelow(hit, below + 1)
    const last = windows.at(-1)
    if (last !== undefined && from <= last.to) windows[windows.length - 1] = { from: last.from, to, until: to }
    else windows.push({ from, to, until: to })
  }
  return windows
}

/** All lines; behind each block so many more as a text that begins in it may have, and in it more than those. */
function blocksOf(view: View, below: number): readonly Window[] {
  const windows: Window[] = []
  for (let from = view.start; from < view.end;) {
    const until = view.cutBelow(Math.min(from + BLOCK_BYTES, view.end), below + 1)
    windows.push({ from, until, to: view.cutBelow(until, below) })
    from = until
  }
  return windows
}

function countNewlines(text: string): number {
  return text.split("\n").length - 1
}
