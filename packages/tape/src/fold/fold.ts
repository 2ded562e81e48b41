import type { Entry, EntryKind, Head } from "@gong/spec"

/**
 * Something read from the tape, one entry after the other. `step` costs the same for every entry and may change the
 * state in place; it depends on nothing but the state and the entry.
 */
export interface Fold<S> {
  initial(): S
  step(state: S, entry: Entry): S
  /** The places on the branch that decide the value, in order: only their bodies are read. Default: all. */
  needs?(branch: Branch): readonly number[]
  /** `tape`: over every entry, not only those of the active branch. Default: `branch`. */
  readonly scope?: "branch" | "tape"
}

/** Entries in order, from the root to the leaf; a body is read when it is asked for. */
export interface Branch {
  readonly length: number
  head(at: number): Head
  kind(at: number): EntryKind
  entry(at: number): Entry
}

/** The value over a branch, from nothing. */
export function foldBranch<S>(fold: Fold<S>, branch: Branch): S {
  let state = fold.initial()
  if (fold.needs !== undefined) for (const at of fold.needs(branch)) state = fold.step(state, branch.entry(at))
  else for (let at = 0; at < branch.length; at++) state = fold.step(state, branch.entry(at))
  return state
}

/** The places from `from` on whose kinds are wanted. */
export function indexesWhere(branch: Branch, wanted: (kind: EntryKind, at: number) => boolean, from = 0): number[] {
  const places: number[] = []
  for (let at = from; at < branch.length; at++) if (wanted(branch.kind(at), at)) places.push(at)
  return places
}

/** The last place before `before` whose kind is wanted, or -1. */
export function lastIndexWhere(
  branch: Branch,
  wanted: (kind: EntryKind, at: number) => boolean,
  before = branch.length,
): number {
  for (let at = before - 1; at >= 0; at--) if (wanted(branch.kind(at), at)) return at
  return -1
}

/** Whether a message may be of this role: lines of other programs need not show it in their head. */
export function mayHaveRole(kind: EntryKind, role: NonNullable<EntryKind["role"]>): boolean {
  return kind.type === "message" && (kind.role ?? role) === role
}

/** A branch over entries that are at hand. */
export function branchOf(entries: readonly Entry[]): Branch {
  const entry = (at: number): Entry => {
    const found = entries[at]
    if (found === undefined) throw new Error(`Internal error in Gong: no entry ${at} on the branch`)
    return found
  }
  return { length: entries.length, head: entry, kind: entry, entry }
}
