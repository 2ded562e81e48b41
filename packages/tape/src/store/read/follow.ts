import { phrase } from "@gong/spec"
import type { Damage, Entry } from "@gong/spec"
import { entryOfLine } from "../../line.ts"
import { artifactFiles } from "../artifacts/artifacts.ts"
import { crc32Over } from "../artifacts/digest.ts"
import { artifactsFolder, lockFile, phasesOf, tapeFile } from "../layout.ts"
import { type LockHolder, liveHolder } from "../lock/lock.ts"
import { resolveReferences } from "../artifacts/references.ts"
import { scanOn } from "./scan.ts"
import { storageError, storageFailure } from "../storage.ts"
import type { FileStore, StorePorts } from "../store.ts"

/** Follows a tape that another process writes. Only reads. */
export interface StoreFollower {
  /**
   * Entries whose lines were completed since the last call, or since the store was opened, in the order of the lines. Throws
   * FailureError (`storage`), also when the folder of the tape is gone.
   */
  next(): readonly Entry[]
  /** The process that has the tape open for writing; null without one or when it is dead. */
  holder(): LockHolder | null
}

/** Continues after the last entry of this store, which was opened for reading. */
export function followStore(ports: StorePorts, path: string, store: FileStore): StoreFollower {
  const { disk } = ports
  const files = artifactFiles(disk, artifactsFolder(path))
  const seen = new Set<string>()
  /** The offset after the last line that was read, by file. */
  const ends = new Map<string, number>()
  for (let at = 0; at < store.length; at++) {
    const { file, offset, length } = store.location(at)
    ends.set(file, offset + length)
  }

  /** A batch that was written again after a failed sync is duplicated: its entries are returned once. */
  function isNew(id: string): boolean {
    if (store.placeOf(id) !== undefined || seen.has(id)) return false
    seen.add(id)
    return true
  }

  function readFrom(file: string, size: number, entries: Entry[]): void {
    const start = ends.get(file) ?? 0
    const damage: Damage[] = []
    const scan = { path: file, start, crc32: crc32Over(size - start) }
    const { end } = scanOn(
      disk,
      scan,
      ({ head, length }, bytes, from, settled) => {
        if (!settled || !isNew(head.id)) return
        const entry = entryOfLine(bytes.toString("utf8", from, from + length))
        if (entry !== null) entries.push(resolveReferences(entry, files.get))
      },
      damage,
    )
    ends.set(file, end)
  }

  return {
    next() {
      try {
        const entries: Entry[] = []
        if (disk.stat(tapeFile(path)) === null)
          throw storageFailure(phrase`Session ${store.id} is no longer at ${path}.`)
        for (const { file } of phasesOf(disk, path)) {
          const size = disk.stat(file)?.size ?? 0
          if (size > (ends.get(file) ?? 0)) readFrom(file, size, entries)
        }
        return entries
      } catch (error) {
        throw storageError(phrase`follow the session at ${path}`, error)
      }
    },
    holder: () => liveHolder(ports, lockFile(path)),
  }
}
