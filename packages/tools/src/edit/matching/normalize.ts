/**
 * Normalizes a text for the fuzzy match after the exact match failed (contract C-26): composed Unicode, plain quotes,
 * dashes and blanks, no trailing blanks. The number of lines does not change.
 */
export function normalizeText(text: string): string {
  return withoutBlanksAtEnds(normalizeInside(text))
}

/** The same without removing trailing blanks. */
export function normalizeInside(text: string): string {
  // ASCII needs no normalization.
  if (Buffer.byteLength(text) === text.length) return text
  return text.normalize("NFC").replace(touched, (character) => plain[character] ?? " ")
}

/** Like trimEnd on each line, but faster: most lines have no trailing blanks, and a regex would test every blank. */
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

// The spaces are those that remain when quotes and dashes are removed.
const touched = /[\u2018-\u201F\u2010-\u2015\u2212\u00A0\u2002-\u200A\u202F\u205F\u3000]/g

const plain: Readonly<Record<string, string>> = {
  ...each("\u2018\u2019\u201A\u201B", "'"),
  ...each("\u201C\u201D\u201E\u201F", '"'),
  ...each("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
}

function each(characters: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, to]))
}

/** Maps columns of a normalized line to columns of the original; -1 inside a composed character. */
export function columnsOf(line: string): (column: number) => number {
  // All other replacements are one to one, or cut the end.
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

/** A character with everything that may compose with it: marks, and the later parts of a Hangul syllable. */
const composing = /[^\p{M}\u1160-\u11FF]?[\p{M}\u1160-\u11FF]*/gu

export interface Anchor {
  readonly text: string
  /** Offset in the normalized text. */
  readonly index: number
}

/** Parts of a normalized text that occur unchanged in every text that normalizes to it, longest first. */
export function anchorsOf(normalized: string): readonly Anchor[] {
  const runs = Array.from(normalized.matchAll(inertIn(normalized)), ({ 0: text, index }) => ({ text, index }))
  return runs.sort((a, b) => b.text.length - a.text.length)
}

function inertIn(normalized: string): RegExp {
  return han.test(normalized) ? (inertHan ??= inertHanPattern()) : inert
}

const han = /[\u4E00-\u9FFF]/
// Without K, which is the composed form of the Kelvin sign.
const inert = /[A-JL-Za-z0-9_]+/g
let inertHan: RegExp | undefined

/** Excludes characters that compatibility ideographs compose to, which occur in Korean and Taiwanese files. */
function inertHanPattern(): RegExp {
  const others = [...codesIn(0xf900, 0xfaff), ...codesIn(0x2f800, 0x2fa1f)]
  const composed = others.map((code) => String.fromCodePoint(code).normalize("NFC")).filter((one) => han.test(one))
  return new RegExp(`(?:[A-JL-Za-z0-9_]|(?![${composed.join("")}])[\\u4E00-\\u9FFF])+`, "g")
}

function codesIn(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
