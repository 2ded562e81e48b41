import { type Entry, type EntryOf, hostOf, type ImportedSession, phrase } from "@gong/spec"
import { create } from "../create.ts"
import { createAtomically } from "./atomic-create.ts"
import { storageError } from "../storage.ts"
import type { FileStore, StorePorts } from "../store.ts"

export interface ImportOptions {
  /** The folder that holds the tapes. */
  readonly sessions: string
  readonly id: string
}

/** Entries that are written at once, which limits the memory of an import. */
const batchSize = 500

/** Creates a tape from an imported session, completely or not at all. Returns its folder. Throws FailureError (`storage`). */
export function importTape(ports: StorePorts, imported: ImportedSession, { sessions, id }: ImportOptions): string {
  const { disk, clock } = ports
  try {
    return createAtomically(disk, clock.now(), sessions, id, (folder) => {
      const { cwd, workspace, created } = imported
      const store = create(ports, folder, id, { host: hostOf(imported), cwd, workspace, created })
      try {
        for (const phase of phasesOf(ports, imported)) writePhase(store, phase)
      } finally {
        store.close()
      }
    })
  } catch (error) {
    throw storageError(phrase`import a session into ${sessions}`, error)
  }
}

interface Phase {
  readonly anchor: EntryOf<"anchor">
  readonly entries: Entry[]
}

/** The entries by phase. Anchors begin phases while their numbers are 1, 2, ...; a session without anchors gets a first one. */
function phasesOf({ ids }: StorePorts, { entries, created }: ImportedSession): readonly Phase[] {
  const [first] = entries
  const own = first?.type === "anchor" && first.seq === 1 ? first : null
  const id = own?.id ?? ids.entry()
  const root: EntryOf<"anchor"> = own ?? {
    id,
    parentId: null,
    type: "anchor",
    timestamp: first?.timestamp ?? created,
    name: "session-start",
    seq: 1,
  }
  const phases: Phase[] = [{ anchor: root, entries: [] }]
  for (const entry of own === null ? entries : entries.slice(1)) {
    const rooted = entry.parentId === null ? { ...entry, parentId: root.id } : entry
    if (rooted.type === "anchor" && rooted.seq === phases.length + 1) phases.push({ anchor: rooted, entries: [] })
    else phases.at(-1)?.entries.push(rooted)
  }
  return phases
}

function writePhase(store: FileStore, { anchor, entries }: Phase): void {
  store.beginAnchor(anchor, entries.slice(0, batchSize))
  // The next phase or the end of the import makes them durable.
  for (let at = batchSize; at < entries.length; at += batchSize)
    store.append(entries.slice(at, at + batchSize), { sync: false })
}
