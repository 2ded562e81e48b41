/**
 * A text as it is compared when the exact one was not found (contract C-26): composed Unicode, plain quotes, dashes and
 * blanks, no blanks at the ends of lines. Lines stay the same in number.
 */
export function normalizeText(text: string): string {
  return withoutBlanksAtEnds(normalizeInside(text))
}

/** The same with the blanks at the ends, made plain. */
export function normalizeInside(text: string): string {
  // In ASCII there is nothing to compose or to make plain.
  if (Buffer.byteLength(text) === text.length) return text
  return text.normalize("NFC").replace(touched, (character) => plain[character] ?? " ")
}

/** What trimEnd does to each line, by hand: most lines end without blanks, and a pattern looks at every blank. */
function withoutBlanksAtEnds(text: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= text.length;) {
    const newline = text.indexOf("\n", at)
    const lineEnd = newline === -1 ? text.length : newline
    let end = lineEnd
    while (end > at && isBlank(text.charCodeAt(end - 1))) end--
    if (end < lineEnd) {
      parts.push(text.slice(from, end))
      from = lineEnd
    }
    at = lineEnd + 1
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from)
}

function isBlank(code: number): boolean {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13)
  return String.fromCharCode(code).trim() === ""
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

/** Where columns of a normalized line stand in the line itself; -1 for one inside a composed character. */
export function columnsOf(line: string): (column: number) => number {
  // All else replaces one character by one, or cuts the end.
  if (line.normalize("NFC") === line) return (column) => column
  const columns = new Map([[0, 0]])
  let from = 0
  let to = 0
  for (const [part] of line.matchAll(composing)) {
    from += part.length
    to += part.normalize("NFC").length
    columns.set(to, from)
  }
  return (column) => columns.get(column) ?? -1
}

/** A character with all that may be composed with it: marks, and the later parts of a Hangul syllable. */
const composing = /[^\p{M}\u1160-\u11FF]?[\p{M}\u1160-\u11FF]*/gu

export interface Anchor {
  readonly text: string
  /** Where it begins in the normalized text. */
  readonly index: number
}

/** Parts of a normalized text that stand in any text that normalizes to it, the longest first. */
export function anchorsOf(normalized: string): readonly Anchor[] {
  const runs = Array.from(normalized.matchAll(inertIn(normalized)), ({ 0: text, index }) => ({ text, index }))
  return runs.sort((a, b) => b.text.length - a.text.length)
}

function inertIn(normalized: string): RegExp {
  return han.test(normalized) ? (inertHan ??= inertHanPattern()) : inert
}

const han = /[\u4E00-\u9FFF]/
// Without K, which is also the composed form of the Kelvin sign.
const inert = /[A-JL-Za-z0-9_]+/g
let inertHan: RegExp | undefined

/** Without those that other characters compose to, which stand in files of Korea and Taiwan. */
function inertHanPattern(): RegExp {
  const others = [...codesIn(0xf900, 0xfaff), ...codesIn(0x2f800, 0x2fa1f)]
  const composed = others.map((code) => String.fromCodePoint(code).normalize("NFC")).filter((one) => han.test(one))
  return new RegExp(`(?:[A-JL-Za-z0-9_]|(?![${composed.join("")}])[\\u4E00-\\u9FFF])+`, "g")
}

function codesIn(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
