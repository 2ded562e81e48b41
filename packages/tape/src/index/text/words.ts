/**
 * How text is cut into words, the same for what is stored and for what is asked. SQLite's unicode61 does the cutting; before
 * it every Han, Kana and Hangul character gets blanks around it, so a phrase of them finds any substring. The parts of
 * compound identifiers stand in a column of their own, so that the text keeps its neighbours.
 */
const ideograph =
  /[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud840-\ud8bf][\udc00-\udfff]/g

/** The text with every ideograph as a word of its own. */
export function separateIdeographs(text: string): string {
  return text.replace(ideograph, " $& ")
}

/** Where one part of an identifier ends and the next begins: aB, ABc, a1, 1a. */
const boundary = /[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g

const part = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/** Longer words are no identifiers, and what falls into more parts is a hash. */
const maxIdentifier = 64
const maxParts = 6

/** The parts of all compound identifiers in the text, each part once: `parseArgs2` gives `parse args 2`. */
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

/** Words as the cutting finds them, roughly: for marking what was found. */
export function wordsIn(text: string): readonly string[] {
  return separateIdeographs(text).match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
