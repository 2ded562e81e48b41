import { diffIndices } from "node-diff3"
import type { Line, Span } from "./row.ts"
import { textOf } from "./row.ts"

/** Longer lines are not compared: the comparison is quadratic in the worst case. */
const TOKENS_MAX = 400
/** Of two lines that have less in common, all would be marked. */
const COMMON_MIN = 0.3

/**
 * Marks the words that differ between removed lines and the added lines behind them, where there are as many: the roles `removed`
 * and `added` also get `strong`. Signs and line numbers at the beginning are left out.
 */
export function withWordMarks(lines: readonly Line[]): readonly Line[] {
  const marked = [...lines]
  for (let at = 0; at < lines.length; at++) {
    const removed = runOf(lines, at, "removed")
    const added = runOf(lines, at + removed, "added")
    if (removed > 0 && removed === added)
      for (let pair = at; pair < at + removed; pair++) {
        const [before, after] = marksOf(lines[pair] ?? [], lines[pair + removed] ?? [])
        marked[pair] = before
        marked[pair + removed] = after
      }
    at += Math.max(0, removed + added - 1)
  }
  return marked
}

/** Lines from `at` on that have a span of this role. */
function runOf(lines: readonly Line[], at: number, role: string): number {
  let count = 0
  while (lines[at + count]?.some((span) => span.role === role) === true) count++
  return count
}

function marksOf(before: Line, after: Line): readonly [Line, Line] {
  const [one, other] = [partsOf(before), partsOf(after)]
  const most = Math.max(one.tokens.length, other.tokens.length)
  if (most > TOKENS_MAX || most === 0) return [before, after]
  const changes = diffIndices([...one.tokens], [...other.tokens])
  const changed = [new Set<number>(), new Set<number>()] as const
  for (const { buffer1, buffer2 } of changes) {
    for (let index = 0; index < buffer1[1]; index++) changed[0].add(buffer1[0] + index)
    for (let index = 0; index < buffer2[1]; index++) changed[1].add(buffer2[0] + index)
  }
  const words = one.tokens.flatMap((token, at) => (token.trim() === "" ? [] : [at]))
  if (words.filter((at) => !changed[0].has(at)).length < words.length * COMMON_MIN) return [before, after]
  return [joined(one, changed[0]), joined(other, changed[1])]
}

interface Parts {
  readonly first: Span
  readonly tokens: readonly string[]
  readonly role: string
}

/** The beginning of a line, and the tokens of the rest. */
function partsOf(line: Line): Parts {
  const role = line.find((span) => span.role === "removed" || span.role === "added")?.role ?? ""
  const text = textOf(line)
  const first = /^\s*[+-]?\s*\d*\s?/.exec(text)?.[0] ?? ""
  const tokens = text.slice(first.length).match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
  return { first: { text: first, role }, tokens, role }
}

function joined({ first, tokens, role }: Parts, changed: ReadonlySet<number>): Line {
  const spans: Span[] = [first]
  for (const [at, text] of tokens.entries()) {
    const own = changed.has(at) ? `${role} strong` : role
    const last = spans.at(-1)
    if (last !== undefined && last.role === own) spans[spans.length - 1] = { text: last.text + text, role: own }
    else spans.push({ text, role: own })
  }
  return spans.filter(({ text }) => text !== "")
}
