/** The start offsets of the lines of a text. Counted from 0. */
export interface Lines {
  readonly text: string
  /** Start of a line. */
  start(line: number): number
  /** End of a line, before its newline. */
  end(line: number): number
  /** The line that contains an offset. */
  at(place: number): number
}

export function linesOf(text: string): Lines {
  const starts = [0]
  for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", newline + 1))
    starts.push(newline + 1)
  return {
    text,
    start: (line) => starts[line] ?? text.length,
    end: (line) => (line + 1 < starts.length ? (starts[line + 1] ?? 0) - 1 : text.length),
    at: (place) => lastNotAbove(starts, place),
  }
}

function lastNotAbove(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
