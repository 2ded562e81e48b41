import type { Clock, Entry, Failure, Ids, NewEntry, Store } from "@gong/spec"
import { assert, deepFreeze } from "@gong/spec"
import { type Branch, type Fold, foldBranch } from "./fold/fold.ts"
import { queueOver } from "./queue.ts"

/** What may be appended; a phase is begun by `handoff`, which knows its number. */
export type AppendEntry = Exclude<NewEntry, { readonly type: "anchor" }>

/** A session's history: a tree of entries, its active branch, and what is read from it. */
export interface Tape {
  readonly id: string
  readonly store: Store
  /** The last entry of the active branch; null only on an empty tape that may not be written. */
  readonly leaf: string | null
  /** Why entries wait in memory: the disk does not take them. Null when all are written. */
  readonly stalled: Failure | null
  /**
   * Puts entries behind the leaf, in one write. With `sync` they survive a power cut when this returns. When the disk
   * fails they wait in memory and go out before anything newer. Throws FailureError (`storage`) when this store may not
   * write, or when too many wait.
   */
  append(bodies: readonly AppendEntry[], options: { readonly sync: boolean }): readonly Entry[]
  /** Begins a new phase with these entries behind its anchor; all of them or none are on the disk. */
  handoff(name: string, bodies?: readonly AppendEntry[]): readonly Entry[]
  /** Goes on from another entry; the branch that is left stays. `summary` tells the model what happened there; "" nothing. */
  navigate(targetId: string, summary: string): Entry
  /** Tries to write what waits. True when nothing waits any more. */
  flush(): boolean
  has(id: string): boolean
  entry(id: string): Entry | null
  /** The active branch; bodies are read when asked for. */
  readonly branch: Branch
  entriesOfBranch(): readonly Entry[]
  /** A value that is current whenever it is read. Nothing is computed before the first reading. */
  follow<S>(fold: Fold<S>): Followed<S>
  close(): void
}

export interface Followed<S> {
  readonly value: S
  /** The value is no longer kept current. */
  stop(): void
}

export interface TapePorts {
  readonly ids: Ids
  readonly clock: Clock
}

interface Follower {
  readonly wholeTape: boolean
  step(entry: Entry): void
  /** The value must be computed anew when it is read again. */
  forget(): void
}

/** The tape in a store. An empty one gets its first phase, `session-start`. */
export function createTape(store: Store, ports: TapePorts): Tape {
  const queue = queueOver(store)
  const places = new Map<string, number>()
  for (let place = 0; place < queue.length; place++) places.set(queue.head(place).id, place)
  let active = pathTo(queue.length - 1)
  let phases = store.anchors().at(-1)?.seq ?? 0
  const followers = new Set<Follower>()

  const branch: Branch = {
    get length() {
      return active.length
    },
    head: (at) => queue.head(placeAt(at)),
    entry: (at) => queue.entry(placeAt(at)),
  }

  function placeAt(at: number): number {
    const place = active[at]
    assert(place !== undefined, `entry ${at} of a branch of ${active.length}`)
    return place
  }

  /** The places from the root to an entry. Every parent stands before its child, so this ends. */
  function pathTo(place: number): number[] {
    const path: number[] = []
    for (let at: number | undefined = place; at !== undefined && at >= 0;) {
      path.push(at)
      const { parentId } = queue.head(at)
      at = parentId === null ? undefined : places.get(parentId)
    }
    return path.reverse()
  }

  function leaf(): string | null {
    return active.length === 0 ? null : branch.head(active.length - 1).id
  }

  /** Gives the bodies their places behind `parentId`. */
  function entriesFor(bodies: readonly NewEntry[], parentId: string | null): readonly Entry[] {
    const timestamp = new Date(ports.clock.now()).toISOString()
    let parent = parentId
    return bodies.map((body) => {
      const id = ports.ids.entry()
      assert(!places.has(id), `entry id ${id} is new`)
      const entry = Object.assign({ id, parentId: parent, type: body.type, timestamp }, body) as Entry
      parent = id
      return deepFreeze(entry)
    })
  }

  /** Writes a batch, or lets it wait; in both cases it is part of the tape from now on. */
  function add(entries: readonly Entry[], sync: boolean): void {
    queue.put({ entries, sync })
    for (const entry of entries) {
      const place = places.size
      places.set(entry.id, place)
      active.push(place)
    }
    for (const follower of followers) for (const entry of entries) follower.step(entry)
  }

  function handoff(name: string, bodies: readonly AppendEntry[] = []): readonly Entry[] {
    const entries = entriesFor([{ type: "anchor", name, seq: phases + 1 }, ...bodies], leaf())
    add(entries, true)
    phases += 1
    return entries
  }

  if (queue.length === 0 && store.readOnly === null) handoff("session-start")

  return {
    id: store.id,
    store,
    branch,
    handoff,
    get leaf() {
      return leaf()
    },
    get stalled() {
      return queue.stalled
    },
    append(bodies, { sync }) {
      const entries = entriesFor(bodies, leaf())
      add(entries, sync)
      return entries
    },
    navigate(targetId, summary) {
      const target = places.get(targetId)
      assert(target !== undefined, `entry ${targetId} to navigate to`)
      const left = active
      const entries = entriesFor([{ type: "branch_summary", fromId: leaf() ?? targetId, summary }], targetId)
      active = pathTo(target)
      for (const follower of followers) if (!follower.wholeTape) follower.forget()
      try {
        add(entries, false)
      } catch (error) {
        active = left
        throw error
      }
      return branch.entry(branch.length - 1)
    },
    flush: queue.flush,
    has: (id) => places.has(id),
    entry(id) {
      const place = places.get(id)
      return place === undefined ? null : queue.entry(place)
    },
    entriesOfBranch: () => active.map((place) => queue.entry(place)),
    follow<S>(fold: Fold<S>): Followed<S> {
      const wholeTape = fold.scope === "tape"
      let state: { value: S } | null = null
      const follower: Follower = {
        wholeTape,
        step(entry) {
          if (state !== null) state.value = fold.step(state.value, entry)
        },
        forget() {
          state = null
        },
      }
      followers.add(follower)
      return {
        get value() {
          state ??= { value: foldBranch(fold, wholeTape ? queue : branch) }
          return state.value
        },
        stop: () => void followers.delete(follower),
      }
    },
    close() {
      queue.flush()
      store.close()
    },
  }
}
