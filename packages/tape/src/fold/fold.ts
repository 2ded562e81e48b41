import type { Entry, EntryKind, Head } from "@gong/spec"

/**
 * A value computed from entries, one after the other. `step` has a constant cost for each entry and may change the state in
 * place; it depends only on the state and the entry.
 */
export interface Fold<S> {
  initial(): S
  step(state: S, entry: Entry): S
  /** The indexes of the entries that decide the value, in order: only their bodies are read. Default: all. */
  needs?(branch: Branch): readonly number[]
  /** `tape`: over every entry, not only those of the active branch. Default: `branch`. */
  readonly scope?: "branch" | "tape"
}

/** Entries in order, from the root to the leaf; bodies are read on demand. */
export interface Branch {
  readonly length: number
  head(at: number): Head
  kind(at: number): EntryKind
  entry(at: number): Entry
}

/** The value over a branch, from the initial state. */
export function foldBranch<S>(fold: Fold<S>, branch: Branch): S {
  let state = fold.initial()
  if (fold.needs !== undefined) for (const at of fold.needs(branch)) state = fold.step(state, branch.entry(at))
  else for (let at = 0; at < branch.length; at++) state = fold.step(state, branch.entry(at))
  return state
}

/** The indexes from `from` on whose kinds match. */
export function indexesWhere(branch: Branch, wanted: (kind: EntryKind, at: number) => boolean, from = 0): number[] {
  const places: number[] = []
  for (let at = from; at < branch.length; at++) if (wanted(branch.kind(at), at)) places.push(at)
  return places
}

/** The last index before `before` whose kind matches, or -1. */
export function lastIndexWhere(
  branch: Branch,
  wanted: (kind: EntryKind, at: number) => boolean,
  before = branch.length,
): number {
  for (let at = before - 1; at >= 0; at--) if (wanted(branch.kind(at), at)) return at
  return -1
}

/** Whether an entry may be a message with this role: heads of lines of other programs may lack the role. */
export function mayHaveRole(kind: EntryKind, role: NonNullable<EntryKind["role"]>): boolean {
  return kind.type === "message" && (kind.role ?? role) === role
}

/** A branch over entries in memory. */
export function branchOf(entries: readonly Entry[]): Branch {
  const entry = (at: number): Entry => {
    const found = entries[at]
    if (found === undefined) throw new Error(`Internal error in Gong: no entry ${at} on the branch`)
    return found
  }
  return { length: entries.length, head: entry, kind: entry, entry }
}
