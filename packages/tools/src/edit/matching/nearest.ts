import type { View } from "../view.ts"

/** Number of words of the text to search for; long words are the most specific. */
const WORDS_MAX = 8
/** A word with more hits is not specific. */
const HITS_MAX = 500
/** Lines of the text that one word votes for. */
const LINES_PER_WORD = 4
/** Minimum share of the words, weighted by length, for a line to be shown. */
const MIN_SHARE = 0.3

/**
 * The line, from 0, where a missing text was most likely meant to start; null if nothing is similar. Each occurrence of
 * a word votes for the start line that it implies.
 */
export function nearestLine(view: View, wanted: readonly string[]): number | null {
  const words = wordsOf(wanted)
  const best = bestVote(view, words) ?? bestVote(view, piecesOf(words))
  if (best === null) return null
  // A text may be meant to start before the first line.
  return Math.max(0, Math.min(best, view.lines.count() - 1))
}

/** Words with the lines of the text that contain them. */
type Words = ReadonlyMap<string, readonly number[]>

function wordsOf(wanted: readonly string[]): Words {
  const words = new Map<string, number[]>()
  for (const [index, line] of wanted.entries())
    for (const [word] of line.matchAll(/[\p{L}\p{M}\p{N}_]{2,}/gu)) {
      const at = words.get(word)
      if (at === undefined) words.set(word, [index])
      else if (at.length < LINES_PER_WORD && at.at(-1) !== index) at.push(index)
    }
  const longest = [...words].sort(([a], [b]) => b.length - a.length)
  return new Map(longest.slice(0, WORDS_MAX))
}

/** For misspelled words: their other parts still match. */
function piecesOf(words: Words): Words {
  const pieces = new Map<string, readonly number[]>()
  for (const [word, at] of words) {
    const length = Math.max(PIECE_MIN_CHARS, Math.ceil(word.length / 3))
    for (let from = 0; from + PIECE_MIN_CHARS <= word.length; from += length)
      pieces.set(word.slice(from, from + length), at)
  }
  return new Map([...pieces].slice(0, WORDS_MAX))
}

const PIECE_MIN_CHARS = 3

function bestVote(view: View, words: Words): number | null {
  const votes = new Map<number, { weight: number; length: number }>()
  let total = 0
  for (const [word, hits] of hitsOf(view, [...words.keys()])) {
    total += word.length
    for (const hit of new Set(hits.map((at) => view.lines.at(at))))
      for (const first of (words.get(word) ?? []).map((index) => hit - index)) {
        const vote = votes.get(first) ?? { weight: 0, length: 0 }
        votes.set(first, { weight: vote.weight + word.length / hits.length, length: vote.length + word.length })
      }
  }
  let best: number | null = null
  let most = 0
  for (const [first, { weight, length }] of votes)
    if (weight > most && length >= total * MIN_SHARE) [best, most] = [first, weight]
  return best
}

/** Occurrences of each word. Too frequent words are left out. */
function hitsOf(view: View, words: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>()
  for (const word of words) {
    const hits = hitsOfOne(view, word)
    if (hits.length <= HITS_MAX) found.set(word, hits)
  }
  return found
}

function hitsOfOne(view: View, word: string): readonly number[] {
  const hits: number[] = []
  const encoded = view.encode(word)
  if (!encoded.ok) return hits
  const { bytes } = encoded
  for (let at = view.find(bytes, view.start); at !== -1 && hits.length <= HITS_MAX;) {
    hits.push(at)
    at = view.find(bytes, at + bytes.length)
  }
  return hits
}
