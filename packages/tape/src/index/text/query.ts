import { identifierParts, separateIdeographs, wordsIn } from "./words.ts"

/** A query for the full-text table; every term must match. */
export interface Query {
  /** An FTS5 expression. Input of the person is only used in quoted strings, so the expression is always valid. */
  readonly exact: string
  /** The same, where an unquoted word of 3 letters or more also matches as a prefix. */
  readonly beginnings: string
  /** The words of each term, for highlighting. */
  readonly terms: readonly (readonly string[])[]
}

/** Longer queries are cut: no person types them. */
const maxLength = 1000
const maxTerms = 32
const minBeginning = 3

/** Unquoted words match in any order; quoted words match in sequence. Null for a query without letters and digits. */
export function parseQuery(text: string): Query | null {
  const terms: { readonly words: readonly string[]; readonly phrase: string; readonly star: string }[] = []
  for (const [whole, quoted] of text.slice(0, maxLength).matchAll(/["“”]([^"“”]*)["“”]?|[^\s"“”]+/g)) {
    const words = wordsIn(quoted ?? whole)
    if (words.length === 0) continue
    const isBeginning = quoted === undefined && (words.at(-1) ?? "").length >= minBeginning
    terms.push({ words, phrase: `"${words.join(" ")}"`, star: isBeginning ? " *" : "" })
    if (terms.length === maxTerms) break
  }
  if (terms.length === 0) return null
  return {
    exact: terms.map(({ phrase }) => phrase).join(" AND "),
    beginnings: terms.map(({ phrase, star }) => phrase + star).join(" AND "),
    terms: terms.map(({ words }) => words),
  }
}

/** The columns of the full-text table for a text. */
export function columnsOf(text: string): { readonly body: string; readonly parts: string } {
  return { body: separateIdeographs(text), parts: identifierParts(text) }
}
