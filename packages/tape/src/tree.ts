import { assert } from "@gong/spec"
import type { Branch } from "./fold/fold.ts"

/** The tree of all entries and the one branch of it that is active. Knows places and ids, no bodies. */
export interface Tree {
  /** The active branch. */
  readonly branch: Branch
  readonly leaf: string | null
  placeOf(id: string): number | undefined
  /** The branch that ends with this entry, null when there is none. */
  branchTo(id: string): Branch | null
  /** The entry at the next place becomes the leaf. */
  grow(id: string): void
  /** Makes the branch that ends with this entry the active one; gives what goes back to the one before. */
  go(id: string): () => void
}

/** The tree over entries in their order; the last one is the leaf. */
export function treeOver(all: Branch): Tree {
  const places = new Map<string, number>()
  for (let place = 0; place < all.length; place++) places.set(all.head(place).id, place)
  let active = pathTo(all.length - 1)

  /** The places from the root to an entry. Every parent stands before its child, so this ends. */
  function pathTo(place: number): number[] {
    const path: number[] = []
    for (let at: number | undefined = place; at !== undefined && at >= 0;) {
      path.push(at)
      const { parentId } = all.head(at)
      at = parentId === null ? undefined : places.get(parentId)
    }
    return path.reverse()
  }

  return {
    branch: branchAlong(all, () => active),
    branchTo(id) {
      const place = places.get(id)
      if (place === undefined) return null
      const path = pathTo(place)
      return branchAlong(all, () => path)
    },
    get leaf() {
      const place = active.at(-1)
      return place === undefined ? null : all.head(place).id
    },
    placeOf: (id) => places.get(id),
    grow(id) {
      active.push(places.size)
      places.set(id, places.size)
    },
    go(id) {
      const place = places.get(id)
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
    assert(place !== undefined, `entry ${at} of a branch of ${path().length}`)
    return place
  }
  return {
    get length() {
      return path().length
    },
    head: (at) => all.head(placeAt(at)),
    entry: (at) => all.entry(placeAt(at)),
  }
}
