/**
 * A line as it is compared when the exact text was not found (contract C-26): composed Unicode, plain quotes, dashes
 * and blanks, no blanks at its end. A line stays one line.
 */
export function normalizeLine(line: string): string {
  return normalizeInside(line).trimEnd()
}

/** The same with the blanks at the end, made plain. */
export function normalizeInside(line: string): string {
  return line.normalize("NFC").replace(touched, (character) => plain[character] ?? " ")
}

// Spaces are what is left when quotes and dashes are taken out.
const touched = /[\u2018-\u201F\u2010-\u2015\u2212\u00A0\u2002-\u200A\u202F\u205F\u3000]/g

const plain: Readonly<Record<string, string>> = {
  ...each("\u2018\u2019\u201A\u201B", "'"),
  ...each("\u201C\u201D\u201E\u201F", '"'),
  ...each("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
}

function each(characters: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, to]))
}

/** Where a column of the normalized line stands in the line itself; -1 when it is inside a composed character. */
export function columnOf(line: string, column: number): number {
  // All else replaces one character by one, or cuts the end.
  if (line.normalize("NFC") === line) return column
  let from = 0
  let to = 0
  for (const [part] of line.matchAll(composing)) {
    if (to >= column) break
    from += part.length
    to += part.normalize("NFC").length
  }
  return to === column ? from : -1
}

/** A character with all that may be composed with it: marks, and the later parts of a Hangul syllable. */
const composing = /[^\p{M}\u1160-\u11FF]?[\p{M}\u1160-\u11FF]*/gu

/** The longest part of a normalized text that stands in any text that normalizes to it; empty when there is none. */
export function anchorOf(normalized: string): string {
  let longest = ""
  for (const [run] of normalized.matchAll(inert)) if (run.length > longest.length) longest = run
  return longest
}

// Without K, which is also the composed form of the Kelvin sign.
const inert = /[A-JL-Za-z0-9_\u4E00-\u9FFF]+/g
