import type { AnchorPlace, Clock, Entry, EntryOf, Failure, Ids, NewEntry, Store } from "@gong/spec"
import { assert, deepFreeze, failure, FailureError } from "@gong/spec"
import { type Branch, type Fold, indexesWhere } from "./fold/fold.ts"
import { type Followed, createFollowers } from "./followers.ts"
import { createQueue } from "./queue.ts"
import { createTree } from "./tree.ts"

/** What may be appended; a phase is begun by `handoff`, which knows its number. */
export type AppendEntry = Exclude<NewEntry, { readonly type: "anchor" }>

export interface AppendOptions {
  /** The entries are to survive a power cut; `settled` tells when they do. */
  readonly sync: boolean
  /** The phase that the caller means. Entries only go to the newest one, so another name is refused. */
  readonly anchor?: string
}

export interface HandoffOptions {
  /** What came before, in the anchor itself. */
  readonly summary?: string
  /** Entries behind the anchor. */
  readonly entries?: readonly AppendEntry[]
}

/** A session's history: a tree of entries, its active branch, and what is read from it. */
export interface Tape {
  readonly id: string
  readonly store: Store
  /** The last entry of the active branch; null only on an empty tape that may not be written. */
  readonly leaf: string | null
  /** Why entries wait in memory: the disk does not take them. Null when all are written. */
  readonly stalled: Failure | null
  /**
   * Puts entries behind the leaf, in one write. When the disk fails they wait in memory and go out before anything
   * newer. Throws FailureError: `storage` when this store may not write, or when too many wait; `bad-request` when the
   * newest phase is not the one that was meant.
   */
  append(bodies: readonly AppendEntry[], options: AppendOptions): readonly Entry[]
  /** Begins to make what was appended survive a power cut, and does not wait: see `Store.beginSync`. */
  beginSync(): void
  /** To be waited for before what was appended with `sync` is acknowledged or takes effect: see `Store.settled`. */
  settled(scope?: "all"): Promise<void> | null
  /** Begins a new phase with these entries behind its anchor; all of them or none are on the disk. */
  handoff(name: string, options?: HandoffOptions): readonly Entry[]
  /** Goes on from another entry; the branch that is left stays. `summary` tells the model what happened there; "" nothing. */
  navigate(targetId: string, summary: string): Entry
  /** Tries to write what waits. True when nothing waits any more. */
  flush(): boolean
  has(id: string): boolean
  entry(id: string): Entry | null
  /** The active branch; bodies are read when asked for. */
  readonly branch: Branch
  /** The branch that ends with this entry, as it is now; null when the tape does not have it. */
  branchTo(id: string): Branch | null
  /** Every entry in the order of the lines, on whatever branch. */
  readonly all: Branch
  /** The phases, in order; also one that waits for the disk. */
  phases(): readonly AnchorPlace[]
  entriesOfBranch(): readonly Entry[]
  /** A value that is current whenever it is read. Nothing is computed before the first reading. */
  follow<S>(fold: Fold<S>): Followed<S>
  close(): void
}

export interface TapePorts {
  readonly ids: Ids
  readonly clock: Clock
}

/** The tape in a store. An empty one gets its first phase, `session-start`. */
export function createTape(store: Store, ports: TapePorts): Tape {
  const queue = createQueue(store)
  const tree = createTree(queue)
  const followers = createFollowers(tree.branch, queue)
  /** Writes a batch, or lets it wait; in both cases it is part of the tape from now on. */
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

/** The bodies as entries, each behind the one before; keys in the order of the line. */
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
