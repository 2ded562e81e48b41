import type { Entry, Head } from "@gong/spec"
import { assert, deepFreeze } from "@gong/spec"
import { entryOfLine } from "../line.ts"
import type { ArtifactFiles } from "./artifacts.ts"
import type { Disk } from "./disk/disk.ts"
import { readerOf } from "./reader.ts"
import { referencesIn } from "./references.ts"
import { storageError, storageFailure } from "./storage.ts"

/** Where one entry's line stands. */
export interface Place {
  readonly file: string
  readonly offset: number
  readonly length: number
}

/** The entries of a tape by their index, parsed when they are asked for. */
export interface Bodies {
  entry(index: number): Entry
  /** This entry was just written at `index`: no need to read it back. */
  keep(index: number, entry: Entry): void
  close(): void
}

/** What a tape has: both arrays grow with it. */
export interface Lines {
  readonly heads: readonly Head[]
  readonly places: readonly Place[]
}

export function bodiesOf(disk: Disk, { heads, places }: Lines, artifacts: ArtifactFiles): Bodies {
  const reader = readerOf(disk)
  // Weakly: an entry is the same object for as long as anybody holds it, and costs nothing after that.
  const known = new Map<number, WeakRef<Entry>>()

  function read(index: number): Entry {
    const place = places[index]
    const head = heads[index]
    assert(place !== undefined && head !== undefined, `entry ${index} of ${heads.length}`)
    try {
      const line = reader.read(place.file, place.offset, place.length)
      const entry = referencesIn(entryOfLine(line), artifacts.get)
      return deepFreeze(entry.parentId === head.parentId ? entry : { ...entry, parentId: head.parentId })
    } catch (error) {
      // Its check sum was right when the tape was opened: since then somebody else has changed the file.
      if (error instanceof SyntaxError) throw storageFailure(`Entry ${head.id} can no longer be read in ${place.file}.`)
      throw storageError("read the session", error)
    }
  }

  return {
    entry(index) {
      const kept = known.get(index)?.deref()
      if (kept !== undefined) return kept
      const entry = read(index)
      known.set(index, new WeakRef(entry))
      return entry
    },
    keep: (index, entry) => void known.set(index, new WeakRef(entry)),
    close: reader.close,
  }
}
