import { resolve } from "node:path"
import {
  type Damage,
  type Entry,
  type Failure,
  failure,
  FailureError,
  failureOf,
  phrase,
  type Snippet,
  type UnreadableSession,
} from "@gong/spec"
import { initTape } from "../store/init.ts"
import { storageFailure } from "../store/storage.ts"
import type { StorePorts } from "../store/store.ts"
import type { AppendEntry, Tape } from "../tape.ts"
import { openIndex, type TapeIndex } from "./open.ts"

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

/** One tape with its own index, which has every entry as soon as it is written. */
export interface IndexedTape {
  readonly tape: Tape
  /**
   * Appends to the newest phase, which `anchor` must identify by number or name. The file is written first; entries that the index
   * could not take are reported, and the next append or opening adds them.
   */
  append(anchor: number | string, bodies: readonly AppendEntry[]): Result<Appended>
  /** Matching entries, the best first; none for a query without words. */
  search(question: string): readonly FoundEntry[]
  /** Reads entries that were not written by `append`, for example a new phase. */
  catchUp(): void
  /** Builds the index again from the files; returns damaged lines that were skipped. */
  rebuildIndex(): readonly Damage[]
  close(): void
}

export interface Appended {
  readonly entries: readonly Entry[]
  /** The failure because of which the index does not have them yet. */
  readonly unindexed: Failure | null
}

export interface FoundEntry {
  readonly entry: Entry
  readonly metadata: unknown
  readonly snippet: Snippet
}

/** Opens the tape in a folder, or creates one: `anchors/001_session-start/`, `tape.json`, and `index.db`. */
export function initIndexedTape(ports: StorePorts, folder: string): Result<IndexedTape> {
  const path = resolve(folder)
  try {
    const tape = initTape(ports, path, { cwd: path, workspace: path })
    const index = openIndex(ports, { file: `${path}/index.db`, source: { tape: path }, onUnreadable: throwUnreadable })
    const unindexed = caughtUp(index)
    if (unindexed === null) return { ok: true, value: indexed(tape, index) }
    tape.close()
    return { ok: false, failure: unindexed }
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure }
    throw error
  }
}

/** With one tape, an unreadable tape is a failure. */
function throwUnreadable([first]: readonly UnreadableSession[]): void {
  if (first !== undefined) throw storageFailure(phrase`${first.path} cannot be read (${first.code}).`)
}

function indexed(tape: Tape, index: TapeIndex): IndexedTape {
  return {
    tape,
    append(anchor, bodies) {
      const refused = phaseMismatch(tape, anchor)
      if (refused !== null) return { ok: false, failure: refused }
      try {
        const entries = tape.append(bodies, { sync: true })
        return { ok: true, value: { entries, unindexed: tape.stalled ?? caughtUp(index) } }
      } catch (error) {
        if (error instanceof FailureError) return { ok: false, failure: error.failure }
        throw error
      }
    },
    search(question) {
      const hits = index.search(question)?.hits ?? []
      return hits.map(({ entry, ...hit }) => ({ ...hit, entry: tape.entry(entry.id) ?? entry }))
    },
    catchUp: () => void index.catchUp(),
    rebuildIndex: () => index.rebuild().damage,
    close() {
      index.close()
      tape.close()
    },
  }
}

function phaseMismatch(tape: Tape, anchor: number | string): Failure | null {
  const phases = tape.store.anchors()
  const newest = phases.at(-1)
  if (newest?.seq === anchor || newest?.name === anchor) return null
  const known = phases.some(({ seq, name }) => seq === anchor || name === anchor)
  const why = known ? `Phase ${anchor} is over` : `There is no phase ${anchor}`
  return failure("bad-request", `${why}: entries go to ${newest?.seq} (${newest?.name}).`)
}

/** Null when the index has everything that is on the disk. */
function caughtUp(index: TapeIndex): Failure | null {
  try {
    index.catchUp()
    return null
  } catch (error) {
    return failureOf(error)
  }
}
