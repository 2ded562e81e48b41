import { partsIn, partsOf, spaced, wordsIn } from "./words.ts"

/** What a person asked for, as the full-text table takes it. */
export interface Query {
  /** An FTS5 expression: every term must be there. Only quoted strings come from the person, so it cannot be malformed. */
  readonly match: string
  /** The words of each term, for marking them. */
  readonly terms: readonly (readonly string[])[]
}

/** Longer questions are cut: no person types them. */
const maxLength = 1000
const maxTerms = 32

/**
 * Plain words: all of them, each also as the beginning of a longer one (from 3 letters on). In quotes: the words one after the
 * other, as they stand. Null when there is no letter and no digit in it.
 */
export function parseQuery(text: string): Query | null {
  const terms: string[] = []
  const words: (readonly string[])[] = []
  for (const [whole, quoted] of text.slice(0, maxLength).matchAll(/["“”]([^"“”]*)["“”]?|[^\s"“”]+/g)) {
    const term = quoted === undefined ? wordTerm(whole) : phraseTerm(quoted)
    if (term === null || terms.length === maxTerms) continue
    terms.push(term)
    words.push(wordsIn(quoted ?? whole))
  }
  return terms.length === 0 ? null : { match: terms.join(" AND "), terms: words }
}

function wordTerm(text: string): string | null {
  const word = text.replace(/^[^\p{L}\p{N}\p{Co}]+|[^\p{L}\p{N}\p{Co}]+$/gu, "")
  const last = wordsIn(word).at(-1)
  if (last === undefined) return null
  const star = last.length >= 3 ? " *" : ""
  const whole = `${phraseTerm(word)}${star}`
  const parts = partsOf(word)
  return parts === null ? whole : `({body} : ${whole} OR {parts} : "${parts}"${star})`
}

function phraseTerm(text: string): string | null {
  return wordsIn(text).length === 0 ? null : `"${spaced(text.replaceAll("\0", " "))}"`
}

/** What of a text goes into the table. */
export function columnsOf(text: string): { readonly body: string; readonly parts: string } {
  return { body: spaced(text), parts: partsIn(text) }
}
