import { sha256 } from "./digest.ts"
import type { Artifacts } from "@gong/spec"
import { type Disk, makeFolder, parentOf, readWhole, writeWhole } from "./disk/disk.ts"
import { storageError } from "./storage.ts"

/** The calls of the port that the store itself makes, without waiting. */
export interface ArtifactFiles {
  put(bytes: Uint8Array, sync: boolean): string
  get(name: string): Uint8Array | null
}

/** Artifacts as files named by their content; one that is there already is not written again. */
export function artifactFiles(disk: Disk, folder: string): ArtifactFiles {
  const synced = new Set<string>()
  let isPlaced = false
  /** The folder may have been made by an artifact that was not synced. */
  const place = () => {
    if (!isPlaced) disk.syncFolder(parentOf(folder))
    isPlaced = true
  }
  return {
    put(bytes, sync) {
      const name = `sha256-${sha256(bytes)}`
      const syncs = sync && !synced.has(name)
      try {
        keep(disk, folder, name, bytes, syncs)
        if (syncs) place()
      } catch (error) {
        throw storageError("keep an artifact of the session", error)
      }
      if (sync) synced.add(name)
      return name
    },
    get: (name) => (isArtifactName(name) ? readWhole(disk, `${folder}/${name}`) : null),
  }
}

function keep(disk: Disk, folder: string, name: string, bytes: Uint8Array, sync: boolean): void {
  const path = `${folder}/${name}`
  // After a power cut a file that was never synced may stand there empty.
  const isThere = disk.stat(path)?.size === bytes.length
  if (isThere && !sync) return
  disk.mkdir(folder)
  writeWhole(disk, path, bytes, { sync })
  if (sync) disk.syncFolder(folder)
}

export interface SpillOptions {
  /** A folder of this machine, also for a tape in memory. */
  readonly folder: string
  /** A file may be made there from now on. */
  begun(): void
}

export function artifactsPort(files: ArtifactFiles, disk: Disk, spill: SpillOptions): Artifacts {
  return {
    put: async (bytes, { sync = false } = {}) => files.put(bytes, sync),
    get: async (name) => files.get(name),
    async spillPath(name) {
      spill.begun()
      if (!disk.inMemory) makeFolder(disk, spill.folder)
      return `${spill.folder}/${name.replace(/[^A-Za-z0-9._-]/g, "-")}`
    },
  }
}

/** Nothing but a content name: a name on a damaged or foreign tape must not reach another file. */
export function isArtifactName(name: string): boolean {
  return /^sha256-[0-9a-f]{64}$/.test(name)
}
