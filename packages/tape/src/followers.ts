import type { Entry } from "@gong/spec"
import { type Branch, type Fold, foldBranch } from "./fold/fold.ts"

/** The value of a fold that is always current. */
export interface Followed<S> {
  readonly value: S
}

/** Folds that are kept current over a tape. */
export interface Followers {
  /** The same value for each caller: it is computed once, when it is first read, and kept as long as the tape. */
  follow<S>(fold: Fold<S>): Followed<S>
  step(entries: readonly Entry[]): void
  /** The active branch has changed: values over it are computed again when they are read. */
  branchChanged(): void
}

interface Follower<S> extends Followed<S> {
  step(entry: Entry): void
  branchChanged(): void
}

export function createFollowers(branch: Branch, tape: Branch): Followers {
  const followers = new Map<unknown, Follower<unknown>>()
  return {
    follow<S>(fold: Fold<S>): Followed<S> {
      const known = followers.get(fold) as Follower<S> | undefined
      const follower = known ?? followerOf(fold, fold.scope === "tape" ? tape : branch, branch)
      followers.set(fold, follower)
      return follower
    },
    step(entries) {
      for (const follower of followers.values()) for (const entry of entries) follower.step(entry)
    },
    branchChanged() {
      for (const follower of followers.values()) follower.branchChanged()
    },
  }
}

function followerOf<S>(fold: Fold<S>, over: Branch, branch: Branch): Follower<S> {
  // Null until it is read: an unused fold costs nothing.
  let state: { value: S } | null = null
  return {
    get value() {
      state ??= { value: foldBranch(fold, over) }
      return state.value
    },
    step(entry) {
      if (state !== null) state.value = fold.step(state.value, entry)
    },
    branchChanged() {
      if (over === branch) state = null
    },
  }
}
