import { type Segment, type ReadonlyTape, treeOf, type TreeStep } from "@gong/tape"
import { truncate } from "@gong/texts/table"
import type { Completion } from "./command.ts"
import type { Translate } from "@gong/texts/translator"

/** A point of the session from which a branch can start: after the answer to a message. */
export interface BranchPoint {
  /** The step to continue from. */
  readonly end: string
  /** The beginning of the message. */
  readonly text: string
  /** Number of forks above it, at most `maxDepth`. */
  readonly depth: number
  /** Part of the active branch. */
  readonly active: boolean
}

const maxDepth = 20
const textWidth = 60

/** The points after all messages of all branches, depth first. */
export function branchPoints(t: Translate, tape: ReadonlyTape): readonly BranchPoint[] {
  const root = treeOf(tape)
  const points: BranchPoint[] = []
  const pending: { segment: Segment; depth: number }[] = root === null ? [] : [{ segment: root, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { segment, depth } = next
    points.push(...pointsIn(t, tape, segment.steps, Math.min(depth, maxDepth)))
    for (const child of segment.next.toReversed()) pending.push({ segment: child, depth: depth + 1 })
  }
  return points
}

/** A segment that starts within a run is another continuation of the run, and a point of its own. */
function pointsIn(t: Translate, tape: ReadonlyTape, steps: readonly TreeStep[], depth: number): readonly BranchPoint[] {
  const starts = steps.flatMap((step, at) => (at === 0 || isMessage(tape, step) ? [at] : []))
  return starts.flatMap((start, nth) => {
    const part = steps.slice(start, starts[nth + 1])
    const [first, end] = [part[0], part.at(-1)]
    if (first === undefined || end === undefined) return []
    const text = textOf(t, tape, first, depth)
    if (text === null && part.every(({ type }) => type !== "message")) return []
    const label = part.findLast((step) => step.label !== null)?.label
    const shown = `${label ? `[${label}] ` : ""}${text ?? t`(another continuation of the same run)`}`
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

/** The points as completions: each step with its message. */
export function stepCompletions(t: Translate, tape: ReadonlyTape): readonly Completion[] {
  return branchPoints(t, tape).map(({ end, text }) => ({ value: end, about: text }))
}
