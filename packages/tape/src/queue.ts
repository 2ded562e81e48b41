import type { Entry, Failure, Store } from "@gong/spec"
import { assert, failure, FailureError, failureOf, phrase } from "@gong/spec"
import { headOfEntry } from "./line.ts"
import type { IndexedBranch } from "./tree.ts"

/** Entries that are written together; an anchor as the first entry begins a phase. */
export interface Batch {
  readonly entries: readonly Entry[]
  readonly sync: boolean
}

/** All entries of a tape by index: those in the store, followed by those that wait for a full disk. */
export interface Queue extends IndexedBranch {
  /** Writes waiting batches and then this one; on a disk failure this batch waits, too. Throws when the store may not write. */
  put(batch: Batch): void
  /** Tries to write waiting batches. True when no batch waits any more. */
  flush(): boolean
  /** Begins a sync of written entries; waiting ones are synced when they are written. */
  beginSync(): void
  /** As `Store.settled`, for written entries; waiting ones are not settled. */
  settled(scope?: "all"): Promise<void> | null
  readonly stalled: Failure | null
}

/** The most entries that may wait; more than one long run writes. */
const maxWaiting = 20_000

export function createQueue(store: Store): Queue {
  const waiting: Batch[] = []
  /** The entries of `waiting`, in order. */
  const entries: Entry[] = []
  let stalled: Failure | null = null

  function flush(): boolean {
    for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
      stalled = tryWrite(store, batch)
      if (stalled !== null) return false
      waiting.shift()
      entries.splice(0, batch.entries.length)
    }
    return true
  }

  function withdraw(batch: Batch): void {
    waiting.pop()
    entries.length -= batch.entries.length
  }

  return {
    get length() {
      return store.length + entries.length
    },
    get stalled() {
      return stalled
    },
    head: (place) => (place < store.length ? store.head(place) : headOfEntry(waitingAt(place))),
    kind: (place) => (place < store.length ? store.kind(place) : headOfEntry(waitingAt(place))),
    entry: (place) => (place < store.length ? store.entry(place) : waitingAt(place)),
    placeOf,
    parentOf(place) {
      if (place < store.length) return store.parentOf(place)
      const { parentId } = waitingAt(place)
      return parentId === null ? -1 : (placeOf(parentId) ?? -1)
    },
    flush,
    beginSync() {
      if (stalled === null) store.beginSync()
    },
    settled: store.settled,
    put(batch) {
      if (entries.length + batch.entries.length > maxWaiting) {
        throw new FailureError(
          failure("storage", phrase`${entries.length} entries wait for the disk; no more are taken.`),
        )
      }
      waiting.push(batch)
      for (const entry of batch.entries) entries.push(entry)
      try {
        // Waiting helps against a full disk, not when another process has locked the tape.
        if (!flush() && store.readOnly !== null && stalled !== null) throw new FailureError(stalled)
      } catch (error) {
        withdraw(batch)
        throw error
      }
    },
  }

  function placeOf(id: string): number | undefined {
    const written = store.placeOf(id)
    if (written !== undefined) return written
    const at = entries.findLastIndex((entry) => entry.id === id)
    return at === -1 ? undefined : store.length + at
  }

  function waitingAt(place: number): Entry {
    const entry = entries[place - store.length]
    assert(entry !== undefined, `entry ${place} of ${store.length + entries.length}`)
    return entry
  }
}

/** Null when the batch is written. Errors other than storage failures are thrown. */
function tryWrite(store: Store, batch: Batch): Failure | null {
  const [first, ...rest] = batch.entries
  try {
    if (first?.type === "anchor") store.beginAnchor(first, rest)
    else store.append(batch.entries, { sync: batch.sync })
    return null
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === "storage") return failureOf(error)
    throw error
  }
}
