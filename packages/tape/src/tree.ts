import { assert } from "@gong/spec"
import type { Branch } from "./fold/fold.ts"

/** All entries of a tape by their place, and where they are. */
export interface IndexedBranch extends Branch {
  /** Undefined when the tape has no such entry. */
  placeOf(id: string): number | undefined
  /** The place of the entry that the one at `place` goes on from, before it; -1 for the root. */
  parentOf(place: number): number
}

/** The tree of all entries and the one branch of it that is active. Knows places and ids, no bodies. */
export interface Tree {
  /** The active branch. */
  readonly branch: Branch
  readonly leaf: string | null
  /** The branch that ends with this entry, null when there is none. */
  branchTo(id: string): Branch | null
  /** So many entries came to the tape's end, each behind the leaf before it. */
  grow(count: number): void
  /** Makes the branch that ends with this entry the active one; gives what goes back to the one before. */
  checkout(id: string): () => void
}

/** The tree over entries in their order; the last one is the leaf. */
export function createTree(all: IndexedBranch): Tree {
  let active = pathTo(all.length - 1)

  /** The places from the root to an entry. Every parent stands before its child, so this ends. */
  function pathTo(place: number): number[] {
    const path: number[] = []
    for (let at = place; at >= 0; at = all.parentOf(at)) path.push(at)
    return path.reverse()
  }

  return {
    branch: branchAlong(all, () => active),
    branchTo(id) {
      const place = all.placeOf(id)
      if (place === undefined) return null
      const path = pathTo(place)
      return branchAlong(all, () => path)
    },
    get leaf() {
      const place = active.at(-1)
      return place === undefined ? null : all.head(place).id
    },
    grow(count) {
      for (let place = all.length - count; place < all.length; place++) active.push(place)
    },
    checkout(id) {
      const place = all.placeOf(id)
      assert(place !== undefined, `entry ${id} is on the tape`)
      const left = active
      active = pathTo(place)
      return () => {
        active = left
      }
    },
  }
}

/** The entries at these places. */
function branchAlong(all: Branch, path: () => readonly number[]): Branch {
  const placeAt = (at: number): number => {
    const place = path()[at]
    // Asked for every entry by every fold: a text is only made when it is said.
    if (place === undefined) assert(false, `entry ${at} of a branch of ${path().length}`)
    return place
  }
  return {
    get length() {
      return path().length
    },
    head: (at) => all.head(placeAt(at)),
    kind: (at) => all.kind(placeAt(at)),
    entry: (at) => all.entry(placeAt(at)),
  }
}
