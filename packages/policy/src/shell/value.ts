/** Stands for any number of unknown characters. No shell text can contain it. */
export const unknown = "\0"

/** Fields of a word or variable: plain text is one, an unset variable none. */
export type Fields = readonly string[]

/** All possible values. */
export type Value = readonly Fields[]

export const unknownValue: Value = [[unknown]]

/** Maximum number of possible values that are distinguished. */
export const maxAlternatives = 64
/** Maximum length of an evaluated field; no system accepts a longer path. */
const maxField = 4096
/** Maximum number of fields of a value, and of their characters: an array can double itself with each command. */
export const maxFields = 1024
const maxCharacters = 131_072

export function textValue(...texts: readonly string[]): Value {
  return bounded(texts.map((text) => [text]))
}

/** One or the other. */
export function union(...values: readonly Value[]): Value {
  return bounded(values.flat())
}

/** Without duplicates; if there are too many, anything. */
export function bounded(alternatives: Value): Value {
  // No field and an empty one differ.
  const keyOf = (fields: Fields) => `${fields.length}\n${fields.join("\n")}`
  const known = new Map(alternatives.map(boundedFields).map((fields) => [keyOf(fields), fields]))
  return known.size > maxAlternatives ? unknownValue : [...known.values()]
}

function boundedFields(fields: Fields): Fields {
  if (fields.length > maxFields) return [unknown]
  const characters = fields.reduce((sum, field) => sum + field.length, 0)
  return characters > maxCharacters ? [unknown] : fields.map((field) => boundedField(field))
}

export function boundedField(text: string): string {
  return text.length > maxField ? unknown : text
}

/** All combinations; null if there are too many. */
export function combinations<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] | null {
  let alternatives: T[][] = [[]]
  for (const next of choices) {
    if (alternatives.length * next.length > maxAlternatives) return null
    const [only] = next
    // The common case, and copying long commands is slow.
    if (next.length === 1 && only !== undefined) for (const alternative of alternatives) alternative.push(only)
    else alternatives = alternatives.flatMap((alternative) => next.map((one) => [...alternative, one]))
  }
  return alternatives
}

export function isKnown(text: string): boolean {
  return !text.includes(unknown)
}

/** Joined into one text, as in double quotes. */
export function joinedTexts(value: Value): readonly string[] {
  return value.map((fields) => fields.join(" "))
}

/** Concatenation. */
export function concatenated(one: readonly string[], other: readonly string[]): readonly string[] {
  const alternatives = combinations([one, other])
  if (alternatives === null) return [unknown]
  return alternatives.map(([first = "", second = ""]) =>
    first === "" || second === "" ? first + second : boundedLines(first, second),
  )
}

function boundedLines(first: string, second: string): string {
  return isKnown(first) || isKnown(second) ? boundedField(`${first.replace(/\n$/, "")}\n${second}`) : unknown
}
