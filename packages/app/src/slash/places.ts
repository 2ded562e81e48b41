import { type Segment, type ReadonlyTape, treeOf, type TreeStep } from "@gong/tape"
import { truncate } from "@gong/texts/table"
import type { Completion } from "./command.ts"
import type { Translate } from "@gong/texts/translator"

/** A point of the session that one can go back to: behind the answer to a message. */
export interface Place {
  /** The step to go to. */
  readonly end: string
  /** What the message said, in short. */
  readonly text: string
  /** Forks above it, at most `maxDepth`. */
  readonly depth: number
  /** It is part of the active branch. */
  readonly active: boolean
}

const maxDepth = 20
const textWidth = 60

/** Every message on every branch, in the order of the lines, each branch whole before its neighbour. */
export function placesOf(t: Translate, tape: ReadonlyTape): readonly Place[] {
  const root = treeOf(tape)
  const places: Place[] = []
  const waiting: { segment: Segment; depth: number }[] = root === null ? [] : [{ segment: root, depth: 0 }]
  for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
    const { segment, depth } = task
    places.push(...placesIn(t, tape, segment.steps, Math.min(depth, maxDepth)))
    for (const next of segment.next.toReversed()) waiting.push({ segment: next, depth: depth + 1 })
  }
  return places
}

/** Where a segment begins in the middle of a run, the run went on there in another way: a place of its own. */
function placesIn(t: Translate, tape: ReadonlyTape, steps: readonly TreeStep[], depth: number): readonly Place[] {
  const starts = steps.flatMap((step, at) => (at === 0 || isMessage(tape, step) ? [at] : []))
  return starts.flatMap((start, nth) => {
    const part = steps.slice(start, starts[nth + 1])
    const [first, end] = [part[0], part.at(-1)]
    if (first === undefined || end === undefined) return []
    const text = textOf(t, tape, first, depth)
    if (text === null && part.every(({ type }) => type !== "message")) return []
    const label = part.findLast((step) => step.label !== null)?.label
    const shown = `${label ? `[${label}] ` : ""}${text ?? t`(the same run, in another way)`}`
    return [{ end: end.id, text: truncate(shown, textWidth), depth, active: end.active }]
  })
}

function textOf(t: Translate, tape: ReadonlyTape, step: TreeStep, depth: number): string | null {
  if (isMessage(tape, step)) return wordsOf(tape, step)
  return depth === 0 && step.parentId === null ? t`(the beginning)` : null
}

function isMessage(tape: ReadonlyTape, { id, type }: TreeStep): boolean {
  const entry = type === "input" ? tape.entry(id) : null
  return entry?.type === "input" && entry.kind === "prompt"
}

function wordsOf(tape: ReadonlyTape, { id }: TreeStep): string {
  const entry = tape.entry(id)
  return entry?.type === "input" ? entry.text.replaceAll(/\s+/g, " ") : ""
}

/** The same points as completions: each step with its message. */
export function stepsOf(t: Translate, tape: ReadonlyTape): readonly Completion[] {
  return placesOf(t, tape).map(({ end, text }) => ({ value: end, about: text }))
}
