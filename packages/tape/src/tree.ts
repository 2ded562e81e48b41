import { assert } from "@gong/spec"
import type { Branch } from "./fold/fold.ts"

/** Entries by index, with lookup by id and the index of each parent. */
export interface IndexedBranch extends Branch {
  /** Undefined when the tape has no such entry. */
  placeOf(id: string): number | undefined
  /** The index of the parent of the entry at `place`, always a smaller one; -1 for the root. */
  parentOf(place: number): number
}

/** The tree of all entries and its active branch. Works on indexes and ids, without bodies. */
export interface Tree {
  /** The active branch. */
  readonly branch: Branch
  readonly leaf: string | null
  /** The branch that ends with this entry, or null when there is no such entry. */
  branchTo(id: string): Branch | null
  /** Adds the last `count` entries of the tape to the active branch. */
  grow(count: number): void
  /** Activates the branch that ends with this entry; the returned function restores the previous branch. */
  checkout(id: string): () => void
}

/** The tree over entries in the order of the lines; the last one is the leaf. */
export function createTree(all: IndexedBranch): Tree {
  let active = pathTo(all.length - 1)

  /** The indexes from the root to an entry. Every parent has a smaller index, so this terminates. */
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

/** The entries at these indexes. */
function branchAlong(all: Branch, path: () => readonly number[]): Branch {
  const placeAt = (at: number): number => {
    const place = path()[at]
    // Called for every entry by every fold, so the text is only built on failure.
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
