import type { Lines } from "./lines.ts"

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
 * place of a word is a vote for where the text would begin if that word were its own: one scan for each word.
 */
export function nearestLine(lines: Lines, wanted: readonly string[]): number | null {
  const words = wordsOf(wanted)
  const best = bestVote(lines, words) ?? bestVote(lines, piecesOf(words))
  if (best === null) return null
  // What was meant to begin before the file begins.
  return Math.max(0, Math.min(best, lines.count - 1))
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

function bestVote(lines: Lines, words: Words): number | null {
  const votes = new Map<number, { weight: number; length: number }>()
  let total = 0
  for (const [word, indexes] of words) {
    const hits = hitsOf(lines.text, word)
    if (hits === null) continue
    total += word.length
    for (const hit of new Set(hits.map((at) => lines.at(at))))
      for (const first of indexes.map((index) => hit - index)) {
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

/** Null for a word that is everywhere. */
function hitsOf(text: string, word: string): readonly number[] | null {
  const hits: number[] = []
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (hits.length === HITS_MAX) return null
    hits.push(at)
  }
  return hits
}
