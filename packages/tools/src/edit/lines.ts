/** A text and where its lines begin. Lines are counted from 0 here, and from 1 in what is said. */
export interface Lines {
  readonly text: string
  readonly count: number
  /** Where a line begins. */
  start(line: number): number
  /** Where it ends, before its newline. */
  end(line: number): number
  /** The line that holds a place. */
  at(place: number): number
  line(line: number): string
}

/** The index is made when it is first asked for: an exact match of one place needs none. */
export function linesOf(text: string): Lines {
  let made: readonly number[] | undefined
  const starts = () => (made ??= startsOf(text))
  const start = (line: number) => starts()[line] ?? text.length
  const end = (line: number) => (line + 1 < starts().length ? start(line + 1) - 1 : text.length)
  return {
    text,
    get count() {
      return starts().length
    },
    start,
    end,
    at: (place) => lastNotAbove(starts(), place),
    line: (line) => text.slice(start(line), end(line)),
  }
}

function startsOf(text: string): readonly number[] {
  const starts = [0]
  for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", newline + 1))
    starts.push(newline + 1)
  return starts
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
