import type { Entry } from "@gong/spec"
import { type Branch, type Fold, foldBranch } from "./fold/fold.ts"

/** The value of a fold that is always current. */
export interface Followed<S> {
  readonly value: S
  /** Stops updates of the value. */
  stop(): void
}

/** Folds that are kept current over a tape. */
export interface Followers {
  follow<S>(fold: Fold<S>): Followed<S>
  step(entries: readonly Entry[]): void
  /** The active branch has changed: values over it are computed again when they are read. */
  branchChanged(): void
}

interface Follower {
  step(entry: Entry): void
  branchChanged(): void
}

export function createFollowers(branch: Branch, tape: Branch): Followers {
  const followers = new Set<Follower>()
  return {
    follow<S>(fold: Fold<S>): Followed<S> {
      const over = fold.scope === "tape" ? tape : branch
      // Null until it is read: an unused fold costs nothing.
      let state: { value: S } | null = null
      const follower: Follower = {
        step(entry) {
          if (state !== null) state.value = fold.step(state.value, entry)
        },
        branchChanged() {
          if (over === branch) state = null
        },
      }
      followers.add(follower)
      return {
        get value() {
          state ??= { value: foldBranch(fold, over) }
          return state.value
        },
        stop: () => void followers.delete(follower),
      }
    },
    step(entries) {
      for (const follower of followers) for (const entry of entries) follower.step(entry)
    },
    branchChanged() {
      for (const follower of followers) follower.branchChanged()
    },
  }
}
