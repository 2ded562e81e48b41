/** Stands in a text for characters that nobody knows: any, also none. No shell can hold this one. */
export const unknown = "\0"

/** What one word or variable becomes: its fields. A plain text is one, an unset variable none. */
export type Fields = readonly string[]

/** Everything that it may become. */
export type Value = readonly Fields[]

export const unknownValue: Value = [[unknown]]

/** More ways than these are not told apart. */
export const maxWays = 64
/** Characters of one field that is followed; no system takes a longer path. */
const maxField = 4096

export function textValue(...texts: readonly string[]): Value {
  return bounded(texts.map((text) => [text]))
}

/** One or the other. */
export function either(...values: readonly Value[]): Value {
  return bounded(values.flat())
}

/** Each once; where there are too many, anything. */
export function bounded(ways: Value): Value {
  const known = new Map(ways.map((fields) => [fields.join("\n"), fields.map((field) => shortened(field))]))
  return known.size > maxWays ? unknownValue : [...known.values()]
}

export function shortened(text: string): string {
  return text.length > maxField ? unknown : text
}

/** All ways to take one of each; null where there are too many. */
export function combined<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] | null {
  let ways: T[][] = [[]]
  for (const next of choices) {
    if (ways.length * next.length > maxWays) return null
    const [only] = next
    // Nearly all are of this kind, and copies of long commands cost time.
    if (next.length === 1 && only !== undefined) for (const way of ways) way.push(only)
    else ways = ways.flatMap((way) => next.map((one) => [...way, one]))
  }
  return ways
}

export function isKnown(text: string): boolean {
  return !text.includes(unknown)
}

/** As one text, as double quotes make it. */
export function textsOf(value: Value): readonly string[] {
  return value.map((fields) => fields.join(" "))
}

/** One behind the other. */
export function together(one: readonly string[], other: readonly string[]): readonly string[] {
  const ways = combined([one, other])
  if (ways === null) return [unknown]
  return ways.map(([first = "", second = ""]) =>
    first === "" || second === "" ? first + second : shortenedLines(first, second),
  )
}

function shortenedLines(first: string, second: string): string {
  return isKnown(first) || isKnown(second) ? shortened(`${first.replace(/\n$/, "")}\n${second}`) : unknown
}
