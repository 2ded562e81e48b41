import type { Snippet } from "@gong/spec"
import { wordsIn } from "./words.ts"

const before = 40
const maxLength = 160
const maxMarks = 20

/** One line that begins shortly before the first match, or at the start of the text without one. */
export function snippetOf(text: string, terms: readonly (readonly string[])[]): Snippet {
  const line = text.replaceAll(/\s+/g, " ").trim()
  const found = terms.flatMap((words) => hitsOf(line, words)).sort((a, b) => a[0] - b[0])
  const from = Math.max((found[0]?.[0] ?? 0) - before, 0)
  const to = Math.min(line.length, from + maxLength)
  const lead = from > 0 ? "…" : ""
  const shift = lead.length - from
  const shown = found.filter(([start, end]) => start >= from && end <= to)
  return {
    text: `${lead}${line.slice(from, to)}${to < line.length ? "…" : ""}`.toWellFormed(),
    marks: withoutOverlap(shown).map(([start, end]) => [start + shift, end + shift] as const),
  }
}

type Hit = readonly [number, number]

/** Matches of the words in sequence: those at the beginning of a word, else all others. */
function hitsOf(line: string, words: readonly string[]): readonly Hit[] {
  if (words.length === 0) return []
  // Words are letters and digits only, so they need no escapes in a pattern.
  const pattern = new RegExp(words.join("[^\\p{L}\\p{N}]*"), "giu")
  const hits: Hit[] = []
  const inside: Hit[] = []
  for (const match of line.matchAll(pattern)) {
    const hit = [match.index, match.index + match[0].length] as const
    if (beginsWord(line, match.index)) hits.push(hit)
    else if (inside.length < maxMarks) inside.push(hit)
    if (hits.length === maxMarks) break
  }
  return hits.length > 0 ? hits : inside
}

function beginsWord(line: string, at: number): boolean {
  if (at === 0) return true
  const around = line.slice(at - 1)
  // Each ideograph is a word.
  return (
    /^(?:[^\p{L}\p{N}]|[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z])/u.test(around) ||
    wordsIn(around.slice(0, 2)).length === 2
  )
}

/** Matches without overlaps: two terms may match at the same position. */
function withoutOverlap(hits: readonly Hit[]): readonly Hit[] {
  const kept: Hit[] = []
  for (const hit of hits) if (hit[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(hit)
  return kept
}
