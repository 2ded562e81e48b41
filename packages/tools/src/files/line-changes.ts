import { countNewlines, NEWLINE } from "./newlines.ts"

/** Counts added and removed lines between two versions of a file, after removing equal lines at both ends. */
export function countChanged(before: Uint8Array, after: Uint8Array): { added: number; removed: number } {
  const short = Math.min(before.length, after.length)
  let start = 0
  let lineStart = 0
  while (start < short && before[start] === after[start]) {
    start++
    if (before[start - 1] === NEWLINE) lineStart = start
  }
  if (start === before.length && start === after.length) return { added: 0, removed: 0 }
  let tail = 0
  let lineTail = 0
  while (tail < short - lineStart) {
    const byte = before[before.length - 1 - tail]
    if (byte !== after[after.length - 1 - tail]) break
    // The equal end starts after this newline.
    if (byte === NEWLINE) lineTail = tail
    tail++
  }
  // If one side is used up, the rest must start at a line start, as for lines inserted at the top.
  const beginsLine = (bytes: Uint8Array, at: number) => at === lineStart || bytes[at - 1] === NEWLINE
  if (beginsLine(before, before.length - tail) && beginsLine(after, after.length - tail)) lineTail = tail
  return {
    added: linesIn(after.subarray(lineStart, after.length - lineTail)),
    removed: linesIn(before.subarray(lineStart, before.length - lineTail)),
  }
}

/** A final newline ends the last line and does not add one. */
export function linesIn(bytes: Uint8Array): number {
  return countNewlines(bytes) + (bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0)
}
