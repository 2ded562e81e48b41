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

/** Of so many lines one is remembered, and the others are found from there: an index of every line of a big file would be as big as the file. */
const STRIDE = 64

/** The index is made when it is first asked for: an exact match of one place needs none. */
export function linesOf(text: string): Lines {
  let made: Index | undefined
  const index = () => (made ??= indexOf(text))
  const start = (line: number) => (line < index().count ? startOf(text, index().starts, line) : text.length)
  const end = (line: number) => {
    const newline = text.indexOf("\n", start(line))
    return newline === -1 ? text.length : newline
  }
  return {
    text,
    get count() {
      return index().count
    },
    start,
    end,
    at: (place) => lineAt(text, index().starts, place),
    line: (line) => text.slice(start(line), end(line)),
  }
}

interface Index {
  /** Of every `STRIDE`-th line, the first among them. */
  readonly starts: readonly number[]
  readonly count: number
}

function indexOf(text: string): Index {
  const starts = [0]
  let count = 1
  for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", newline + 1)) {
    if (count % STRIDE === 0) starts.push(newline + 1)
    count++
  }
  return { starts, count }
}

function startOf(text: string, starts: readonly number[], line: number): number {
  let start = starts[Math.floor(line / STRIDE)] ?? text.length
  for (let more = line % STRIDE; more > 0; more--) start = text.indexOf("\n", start) + 1
  return start
}

function lineAt(text: string, starts: readonly number[], place: number): number {
  const before = lastNotAbove(starts, place)
  let line = before * STRIDE
  const from = starts[before] ?? 0
  for (let newline = text.indexOf("\n", from); newline !== -1 && newline < place; line++)
    newline = text.indexOf("\n", newline + 1)
  return line
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
