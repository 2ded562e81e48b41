/**
 * Splits text into words, in the same way for indexed text and queries. SQLite's tokenizer unicode61 does the work; before it,
 * every Han, Kana and Hangul character gets blanks around it, so that a phrase of them matches any substring. Parts of compound
 * identifiers are in a separate column, so that the text keeps its word order.
 */
const ideograph =
  /[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud840-\ud8bf][\udc00-\udfff]/g

/** The text with blanks around every ideograph. */
export function separateIdeographs(text: string): string {
  return text.replace(ideograph, " $& ")
}

/** A boundary between two parts of an identifier: aB, ABc, a1, 1a. */
const boundary = /[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g

const part = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/** Longer words are not identifiers, and words with more parts are hashes. */
const maxIdentifier = 64
const maxParts = 6

/** The parts of all compound identifiers in the text, without duplicates: `parseArgs2` gives `parse args 2`. */
export function identifierParts(text: string): string {
  const identifiers = new Set<string>()
  for (let match = boundary.exec(text); match !== null; match = boundary.exec(text)) {
    let from = match.index
    let to = from + match[0].length
    while (isAlphanumeric(text.charCodeAt(from - 1))) from -= 1
    while (isAlphanumeric(text.charCodeAt(to))) to += 1
    if (to - from <= maxIdentifier) identifiers.add(text.slice(from, to))
    boundary.lastIndex = to
  }
  const all = new Set<string>()
  for (const identifier of identifiers) {
    const parts = identifier.match(part) ?? []
    if (parts.length <= maxParts) for (const one of parts) all.add(one.toLowerCase())
  }
  return [...all].join(" ")
}

/** An approximation of the tokenizer, for highlighting matches. */
export function wordsIn(text: string): readonly string[] {
  return separateIdeographs(text).match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
