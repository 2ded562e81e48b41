import { sha256 } from "./digest.ts"
import type { Artifacts } from "@gong/spec"
import { type Disk, makeFolder, parentOf, readWhole, syncFile, writeWhole } from "./disk/disk.ts"
import { storageError } from "./storage.ts"

/** The calls of the port that the store itself makes, without waiting. */
export interface ArtifactFiles {
  put(bytes: Uint8Array, sync: boolean): string
  /** Null also when the file does not hold the bytes that it is named after. */
  get(name: string): Uint8Array | null
}

/** Artifacts as files named by their content; one that is there already is not written again. */
export function artifactFiles(disk: Disk, folder: string): ArtifactFiles {
  /** Files whose bytes this process has seen to be whole, and whether they are durable. What a dead process left may be neither. */
  const whole = new Map<string, { readonly isDurable: boolean }>()
  let isPlaced = false
  /** The folder may have been made by an artifact that was not synced. */
  const place = () => {
    if (!isPlaced) disk.syncFolder(parentOf(folder))
    isPlaced = true
  }
  return {
    put(bytes, sync) {
      const name = `sha256-${sha256(bytes)}`
      const known = whole.get(name)
      const syncs = sync && known?.isDurable !== true
      const isDurable = sync || known?.isDurable === true
      try {
        keep(disk, folder, name, bytes, { isKnown: known !== undefined, sync: syncs })
        if (syncs) place()
      } catch (error) {
        throw storageError("keep an artifact of the session", error)
      }
      whole.set(name, { isDurable })
      return name
    },
    get(name) {
      const bytes = isArtifactName(name) ? readWhole(disk, `${folder}/${name}`) : null
      if (bytes === null || whole.has(name)) return bytes
      if (!isWhole(name, bytes)) return null
      whole.set(name, { isDurable: false })
      return bytes
    },
  }
}

interface KeepOptions {
  /** The file was seen to be whole. */
  readonly isKnown: boolean
  readonly sync: boolean
}

function keep(disk: Disk, folder: string, name: string, bytes: Uint8Array, { isKnown, sync }: KeepOptions): void {
  const path = `${folder}/${name}`
  // After a power cut a file that was never synced may hold NUL bytes, at its full length too.
  const isThere = disk.stat(path)?.size === bytes.length && (isKnown || isWhole(name, readWhole(disk, path)))
  if (isThere && !sync) return
  disk.mkdir(folder)
  if (isThere) syncFile(disk, path)
  else writeWhole(disk, path, bytes, { sync })
  if (sync) disk.syncFolder(folder)
}

/** Whether these are the bytes that the artifact is named after. */
export function isWhole(name: string, bytes: Uint8Array | null): boolean {
  return bytes !== null && `sha256-${sha256(bytes)}` === name
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
