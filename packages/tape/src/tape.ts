import type { AnchorPlace, Clock, Entry, EntryOf, Failure, Ids, NewEntry, Store } from "@gong/spec"
import { assert, deepFreeze, failure, FailureError } from "@gong/spec"
import { type Branch, type Fold, indexesWhere } from "./fold/fold.ts"
import { type Followed, createFollowers } from "./followers.ts"
import { createQueue } from "./queue.ts"
import { createTree } from "./tree.ts"

/** An entry that may be appended. `handoff` alone begins phases, since it knows their numbers. */
export type AppendEntry = Exclude<NewEntry, { readonly type: "anchor" }>

export interface AppendOptions {
  /** The entries must become durable; `settled` says when they are. */
  readonly sync: boolean
  /** The expected phase. Entries only go to the newest one, so any other name is refused. */
  readonly anchor?: string
}

export interface HandoffOptions {
  /** A summary of the earlier phases, stored in the anchor. */
  readonly summary?: string
  /** Entries after the anchor. */
  readonly entries?: readonly AppendEntry[]
}

/** A session's history: a tree of entries, its active branch, and folds over it. */
export interface Tape {
  readonly id: string
  readonly store: Store
  /** The last entry of the active branch; null only on an empty read-only tape. */
  readonly leaf: string | null
  /** The disk failure because of which entries wait in memory. Null when all are written. */
  readonly stalled: Failure | null
  /**
   * Appends entries after the leaf, in one write. When the disk fails, they wait in memory and are written before newer ones.
   * Throws FailureError: `storage` when this store may not write, or when too many wait; `bad-request` when the newest phase
   * is not the expected one.
   */
  append(bodies: readonly AppendEntry[], options: AppendOptions): readonly Entry[]
  /** Begins to make appended entries durable, without waiting: see `Store.beginSync`. */
  beginSync(): void
  /** To be awaited before entries that were appended with `sync` are acknowledged or take effect: see `Store.settled`. */
  settled(scope?: "all"): Promise<void> | null
  /** Begins a phase with these entries after its anchor; either all of them are written or none. */
  handoff(name: string, options?: HandoffOptions): readonly Entry[]
  /** Continues from another entry; the old branch stays. `summary` tells the model what happened there; "": nothing. */
  navigate(targetId: string, summary: string): Entry
  /** Tries to write waiting entries. True when no entry waits any more. */
  flush(): boolean
  has(id: string): boolean
  entry(id: string): Entry | null
  /** The active branch; bodies are read on demand. */
  readonly branch: Branch
  /** A snapshot of the branch that ends with this entry; null when the tape does not have the entry. */
  branchTo(id: string): Branch | null
  /** The entries of all branches, in the order of the lines. */
  readonly all: Branch
  /** The phases, in order, including one that waits for the disk. */
  phases(): readonly AnchorPlace[]
  entriesOfBranch(): readonly Entry[]
  /** The value of a fold that is always current, the same for all callers. Nothing is computed before it is first read. */
  follow<S>(fold: Fold<S>): Followed<S>
  close(): void
}

export interface TapePorts {
  readonly ids: Ids
  readonly clock: Clock
}

/** The tape over a store. An empty one gets its first phase, `session-start`. */
export function createTape(store: Store, ports: TapePorts): Tape {
  const queue = createQueue(store)
  const tree = createTree(queue)
  const followers = createFollowers(tree.branch, queue)
  /** Writes a batch or queues it; in both cases it is part of the tape from now on. */
  function add(bodies: readonly NewEntry[], sync: boolean): readonly Entry[] {
    const entries = entriesOf(bodies, tree.leaf, ports)
    for (const { id } of entries) assert(queue.placeOf(id) === undefined, `entry id ${id} is new`)
    queue.put({ entries, sync })
    tree.grow(entries.length)
    followers.step(entries)
    return entries
  }

  function handoff(name: string, { summary, entries = [] }: HandoffOptions = {}): readonly Entry[] {
    const seq = (phases().at(-1)?.seq ?? 0) + 1
    return add([{ type: "anchor", name, seq, ...(summary === undefined ? {} : { summary }) }, ...entries], true)
  }

  function phases(): readonly AnchorPlace[] {
    const written = store.length
    const waiting = indexesWhere(queue, ({ type }) => type === "anchor", written).map((first) => {
      const { seq, name } = queue.entry(first) as EntryOf<"anchor">
      return { seq, name, first }
    })
    return [...store.anchors(), ...waiting]
  }

  if (queue.length === 0 && store.readOnly === null) handoff("session-start")

  return {
    id: store.id,
    store,
    branch: tree.branch,
    branchTo: tree.branchTo,
    all: queue,
    phases,
    get leaf() {
      return tree.leaf
    },
    get stalled() {
      return queue.stalled
    },
    append(bodies, { sync, anchor }) {
      if (anchor !== undefined) mustBeNewest(anchor, phases())
      return add(bodies, sync)
    },
    beginSync: queue.beginSync,
    settled: queue.settled,
    handoff,
    navigate(targetId, summary) {
      const fromId = tree.leaf ?? targetId
      const back = tree.checkout(targetId)
      followers.branchChanged()
      try {
        return first(add([{ type: "branch_summary", fromId, summary }], false))
      } catch (error) {
        back()
        throw error
      }
    },
    flush: queue.flush,
    has: (id) => queue.placeOf(id) !== undefined,
    entry(id) {
      const place = queue.placeOf(id)
      return place === undefined ? null : queue.entry(place)
    },
    entriesOfBranch: () => Array.from({ length: tree.branch.length }, (_, at) => tree.branch.entry(at)),
    follow: followers.follow,
    close() {
      queue.flush()
      store.close()
    },
  }
}

function mustBeNewest(anchor: string, phases: readonly AnchorPlace[]): void {
  const newest = phases.at(-1)?.name
  if (anchor === newest) return
  const message = `Steps go to the newest phase, "${newest}"; "${anchor}" is another one or none.`
  throw new FailureError(failure("bad-request", message))
}

/** Entries of these bodies, each the parent of the next; keys in the order of a line. */
function entriesOf(bodies: readonly NewEntry[], leaf: string | null, { ids, clock }: TapePorts): readonly Entry[] {
  const timestamp = new Date(clock.now()).toISOString()
  let parentId = leaf
  return bodies.map((body) => {
    const id = ids.entry()
    const entry = Object.assign({ id, parentId, type: body.type, timestamp }, body) as Entry
    parentId = id
    return deepFreeze(entry)
  })
}

function first(entries: readonly Entry[]): Entry {
  const [entry] = entries
  assert(entry !== undefined, "one body became one entry")
  return entry
}
