import type { Head } from "@gong/spec"
import { labels } from "./fold/labels.ts"
import { foldBranch } from "./fold/fold.ts"
import type { ReadonlyTape } from "./readonly.ts"

/** Consecutive entries without a fork, and the segments that continue from the last of them. */
export interface Segment {
  readonly steps: readonly TreeStep[]
  readonly next: readonly Segment[]
}

export interface TreeStep extends Head {
  /** The label that a person set on it. */
  readonly label: string | null
  /** Whether it is part of the active branch. */
  readonly active: boolean
}

/**
 * The tree of all entries in segments, so that its depth is the number of forks and not of entries. Built from heads, without
 * bodies. The caller may change it: it shares nothing with the tape. Null for an empty tape.
 */
export function treeOf(tape: ReadonlyTape): Segment | null {
  const children = childrenOf(tape)
  const marks = foldBranch(labels, tape.all)
  const active = new Set(Array.from({ length: tape.branch.length }, (_, at) => tape.branch.head(at).id))
  const stepAt = (place: number): TreeStep => {
    const head = tape.all.head(place)
    return { ...head, label: marks.get(head.id) ?? null, active: active.has(head.id) }
  }
  const roots: MutableSegment[] = []
  const waiting = tape.all.length === 0 ? [] : [{ from: 0, into: roots }]
  for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
    const segment: MutableSegment = { steps: [], next: [] }
    task.into.push(segment)
    let place: number | undefined = task.from
    let after: readonly number[] = []
    for (; place !== undefined; place = after.length === 1 ? after[0] : undefined) {
      segment.steps.push(stepAt(place))
      after = children.get(place) ?? []
    }
    // The last task is taken first, so that segments are in the order of the lines.
    for (const from of after.toReversed()) waiting.push({ from, into: segment.next })
  }
  return roots[0] ?? null
}

interface MutableSegment extends Segment {
  readonly steps: TreeStep[]
  readonly next: MutableSegment[]
}

/** The indexes of the children of each entry, by its index. */
function childrenOf({ all }: ReadonlyTape): ReadonlyMap<number, readonly number[]> {
  const places = new Map<string, number>()
  const children = new Map<number, number[]>()
  for (let place = 0; place < all.length; place++) {
    const { id, parentId } = all.head(place)
    places.set(id, place)
    const parent = parentId === null ? undefined : places.get(parentId)
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [place])
    else siblings.push(place)
  }
  return children
}
