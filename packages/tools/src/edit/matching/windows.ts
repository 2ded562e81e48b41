import { anchorsOf } from "./normalize.ts"
import type { View } from "../view.ts"

/** A part of a file to search in, decodable at both ends. */
export interface Window {
  readonly from: number
  readonly to: number
  /** A match that starts here or later belongs to the next window. */
  readonly until: number
}

/** Anchors to try until one occurs in few lines. */
const ANCHORS_MAX = 6
const FEW_LINES = 20
/** With more hits, searching the whole file is cheaper. */
const HITS_MAX = 1000
const LINES_MAX = 20_000
/** Bytes decoded at once in a full search; small enough for the text to reuse memory. */
const BLOCK_BYTES = 64 * 1024

/**
 * Candidate windows for a pattern: around each occurrence of an anchor, which is a part of the pattern that
 * normalization never changes, or the whole file if that is cheaper.
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

/**
 * One offset in each line that contains the anchor; null if there are more than `most`, or the encoding cannot
 * represent it.
 */
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

/** Merges adjacent windows, so together they never exceed the file. */
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

/** The whole file in blocks. Each block overlaps the next by more lines than a match can have. */
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
