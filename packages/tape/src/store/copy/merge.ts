import { phrase } from "@gong/spec"
import type { Entry } from "@gong/spec"
import { type Disk, removeTree } from "../disk/disk.ts"
import { lastId, linkArtifacts } from "./fork.ts"
import { anchorsFolder, type Phase, phaseNamed, stagingOf } from "../layout.ts"
import { openStore } from "../open.ts"
import { storageError, storageFailure } from "../storage.ts"
import type { FileStore, StorePorts } from "../store.ts"

export interface MergeOptions {
  /** The folder of the target tape. */
  readonly into: string
  /** The folder of a fork of the target; it is only read. */
  readonly from: string
}

export interface Merged {
  /** The number of entries that the target did not have. */
  readonly added: number
  /** The number of their phase; null when there were none. */
  readonly phase: number | null
}

/**
 * Merges the new entries of a fork into its source, as one phase `merge`: all of them, or none after a failure. When the source
 * has new entries, too, both stay as branches and the source's own stays active; otherwise it continues from the end of the
 * fork. Throws FailureError (`storage`).
 */
export function mergeTape(ports: StorePorts, options: MergeOptions): Merged {
  const from = openStore(ports, { path: options.from, readOnly: true })
  try {
    const into = openStore(ports, { path: options.into })
    try {
      return merge(ports, into, from, options)
    } finally {
      into.close()
    }
  } finally {
    from.close()
  }
}

function merge(ports: StorePorts, into: FileStore, from: FileStore, options: MergeOptions): Merged {
  if (into.readOnly !== null) throw storageFailure(phrase`Session ${into.id} is ${into.readOnly}.`)
  if (rootOf(into) !== rootOf(from) || into.id === from.id) {
    throw storageFailure(phrase`Session ${from.id} is no fork of ${into.id}: they have no step in common.`)
  }
  const fresh = entriesOnlyIn(from, into)
  if (fresh.length === 0) return { added: 0, phase: null }
  const { disk } = ports
  const seq = (into.anchors().at(-1)?.seq ?? 0) + 1
  try {
    linkArtifacts(disk, options.from, options.into)
    const [anchor, ...behind] = phaseOf(ports, into, fresh, seq, entriesOnlyIn(into, from).length > 0)
    if (anchor?.type === "anchor") into.beginAnchor(anchor, behind)
  } catch (error) {
    // Another process may have locked the tape in the meantime; then nothing is removed.
    if (into.readOnly === null) removePartialPhase(disk, options.into, phaseNamed(options.into, seq, name))
    throw storageError(phrase`merge session ${from.id} into ${into.id}`, error)
  }
  return { added: fresh.length, phase: seq }
}

const name = "merge"

function rootOf(tape: FileStore): string | null {
  return tape.length === 0 ? null : tape.head(0).id
}

/** The entries of one tape that the other does not have, in order. */
function entriesOnlyIn(tape: FileStore, other: FileStore): readonly Entry[] {
  return tape.heads().flatMap(({ id }, at) => (other.placeOf(id) === undefined ? [tape.entry(at)] : []))
}

/** The entries of the phase. They keep their ids and parents, so that branches stay branches. */
function phaseOf(
  { ids, clock }: StorePorts,
  into: FileStore,
  fresh: readonly Entry[],
  seq: number,
  bothGrew: boolean,
): readonly Entry[] {
  const timestamp = new Date(clock.now()).toISOString()
  const parentId = lastId(into)
  const anchor: Entry = { id: ids.entry(), parentId, type: "anchor", timestamp, name, seq }
  if (!bothGrew) return [anchor, ...fresh]
  const fromId = fresh.at(-1)?.id ?? anchor.id
  const back: Entry = { id: ids.entry(), parentId: anchor.id, type: "branch_summary", timestamp, fromId, summary: "" }
  return [anchor, ...fresh, back]
}

/** Removes an incomplete phase, so that the tape is as before. */
function removePartialPhase(disk: Disk, tape: string, phase: Phase): void {
  try {
    removeTree(disk, phase.folder)
    removeTree(disk, stagingOf(phase).folder)
    disk.syncFolder(anchorsFolder(tape))
  } catch {
    // On a disk failure the phase stays, complete or under a temporary name that is never read.
    return
  }
}
