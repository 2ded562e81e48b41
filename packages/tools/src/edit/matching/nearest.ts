import type { View } from "../view.ts"

/** Words of the text that are looked for: the longest say the most. */
const WORDS_MAX = 8
/** A word found more often than this says little about where. */
const HITS_MAX = 500
/** Lines of the text that one word stands for. */
const LINES_PER_WORD = 4
/** Share of the words that a place must have, by length, to be shown. */
const MIN_SHARE = 0.3

/**
 * The line, from 0, where a text that was not found was most likely meant to begin; null when nothing is like it. Each
 * place of a word is a vote for where the text would begin if that word were its own.
 */
export function nearestLine(view: View, wanted: readonly string[]): number | null {
  const words = wordsOf(wanted)
  const best = bestVote(view, words) ?? bestVote(view, piecesOf(words))
  if (best === null) return null
  // What was meant to begin before the file begins.
  return Math.max(0, Math.min(best, view.lines.count() - 1))
}

/** A word and the lines of the text that hold it. */
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

/** For a word that is spelled wrong in one place: its other parts are still there. */
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

/** Where each word stands; a word that is everywhere is left out. */
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
