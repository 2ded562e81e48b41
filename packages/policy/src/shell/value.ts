/** Stands for any number of unknown characters. No shell text can contain it. */
export const unknown = "\0"

/** Fields of a word or variable: plain text is one, an unset variable none. */
export type Fields = readonly string[]

/** All possible values. */
export type Value = readonly Fields[]

export const unknownValue: Value = [[unknown]]

/** Maximum number of possible values that are distinguished. */
export const maxWays = 64
/** Maximum length of an evaluated field; no system accepts a longer path. */
const maxField = 4096

export function textValue(...texts: readonly string[]): Value {
  return bounded(texts.map((text) => [text]))
}

/** One or the other. */
export function either(...values: readonly Value[]): Value {
  return bounded(values.flat())
}

/** Without duplicates; if there are too many, anything. */
export function bounded(ways: Value): Value {
  const known = new Map(ways.map((fields) => [fields.join("\n"), fields.map((field) => shortened(field))]))
  return known.size > maxWays ? unknownValue : [...known.values()]
}

export function shortened(text: string): string {
  return text.length > maxField ? unknown : text
}

/** All combinations; null if there are too many. */
export function combined<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] | null {
  let ways: T[][] = [[]]
  for (const next of choices) {
    if (ways.length * next.length > maxWays) return null
    const [only] = next
    // The common case, and copying long commands is slow.
    if (next.length === 1 && only !== undefined) for (const way of ways) way.push(only)
    else ways = ways.flatMap((way) => next.map((one) => [...way, one]))
  }
  return ways
}

export function isKnown(text: string): boolean {
  return !text.includes(unknown)
}

/** Joined into one text, as in double quotes. */
export function textsOf(value: Value): readonly string[] {
  return value.map((fields) => fields.join(" "))
}

/** Concatenation. */
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
