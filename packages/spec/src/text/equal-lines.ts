/** The number of equal lines at the beginning of all texts, or, with another `line`, at their ends. */
export function equalLines(
  all: readonly (readonly string[])[],
  line: (lines: readonly string[], at: number) => string | undefined,
): number {
  const [first = []] = all
  let count = 0
  while (count < first.length && all.every((lines) => line(lines, count) === line(first, count))) count++
  return count
}

/** The numbers of equal lines at the beginning and at the end of all texts; no line counts twice. */
export function equalEnds(all: readonly (readonly string[])[]): { readonly start: number; readonly end: number } {
  const start = equalLines(all, (lines, at) => lines[at])
  const room = Math.min(...all.map((lines) => lines.length)) - start
  return {
    start,
    end: Math.min(
      room,
      equalLines(all, (lines, at) => lines[lines.length - 1 - at]),
    ),
  }
}

/** The most pairs of equal lines in two texts: the time of a comparison grows with their number, to a second for this many. */
const PAIRS_MAX = 1_000_000

/** Whether two texts can be compared in about a second; texts with thousands of equal lines cannot. */
export function isComparable(one: readonly string[], other: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1)
  let pairs = 0
  for (const line of other) pairs += counts.get(line) ?? 0
  return pairs <= PAIRS_MAX
}
