/** The known word with the fewest slips (swaps count as one); null when a third of the word would have to be wrong, or all of it. */
export function nearest(word: string, known: readonly string[]): string | null {
  return nearestNames(word, known, 1)[0] ?? null
}

/** The same, up to `most` words, the nearest first. */
export function nearestNames(word: string, known: readonly string[], most: number): readonly string[] {
  // No name of ours is longer; a huge word must not cost a huge table.
  if (word === "" || word.length > 64) return []
  const slipsIn = (name: string): number =>
    // Among equal distances the one of equal length is the likelier slip.
    distance(word.toLowerCase(), name.toLowerCase()) + (word.length === name.length ? 0 : 0.5)
  return known
    .map((name) => ({ name, slips: slipsIn(name) }))
    .filter(({ slips }) => slips < word.length && slips <= Math.max(1.5, word.length / 3))
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(at(last, column) + 1, at(line, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, at(before, column - 2) + 1)
      line.push(cost)
    }
    before = last
    last = line
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
