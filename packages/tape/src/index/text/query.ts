import { identifierParts, separateIdeographs, wordsIn } from "./words.ts"

/** What a person asked for, as the full-text table takes it: every term must be there. */
export interface Query {
  /** An FTS5 expression. Only quoted strings come from the person, so it cannot be malformed. */
  readonly exact: string
  /** The same, where a plain word of 3 letters and more is also the beginning of a longer one. */
  readonly beginnings: string
  /** The words of each term, for marking them. */
  readonly terms: readonly (readonly string[])[]
}

/** Longer questions are cut: no person types them. */
const maxLength = 1000
const maxTerms = 32
const minBeginning = 3

/**
 * Plain words: all of them, in any order. In quotes: the words one after the other. Null when there is no letter and no
 * digit in it.
 */
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

/** What of a text goes into the table. */
export function columnsOf(text: string): { readonly body: string; readonly parts: string } {
  return { body: separateIdeographs(text), parts: identifierParts(text) }
}
