import { sha256 } from "./digest.ts"
import { type Artifacts, phrase } from "@gong/spec"
import { type Disk, makeFolder, parentOf, readWhole, syncFile, writeAtomically } from "../disk/disk.ts"
import { storageError } from "../storage.ts"
import { syncInPool, type SyncMode, type Syncs } from "../write/syncs.ts"

/** The calls of the port `Artifacts` for the store itself, without promises. */
export interface ArtifactFiles {
  put(bytes: Uint8Array, sync: boolean): string
  /** As `put` with `sync`; with syncs in the thread pool, the artifact is durable when the promise resolves. */
  putDurably(bytes: Uint8Array): Promise<string>
  /** Null when the file is missing or does not match its name. */
  get(name: string): Uint8Array | null
}

/** Artifacts as files named by their hash; an existing one is not written again. */
export function artifactFiles(disk: Disk, folder: string, syncMode: SyncMode = "at-once"): ArtifactFiles {
  /** Files that this process has verified, and whether they are durable. Files of a killed process may be neither. */
  const whole = new Map<string, { readonly isDurable: boolean }>()
  let isPlaced = false
  /** The folder may have been created for an artifact that was not synced. */
  const place = () => {
    if (!isPlaced) disk.syncFolder(parentOf(folder))
    isPlaced = true
  }
  /** Sequential: two artifacts with the same content would conflict. */
  let last: Promise<unknown> = Promise.resolve()

  function put(bytes: Uint8Array, sync: boolean): string {
    const name = nameOf(bytes)
    const known = whole.get(name)
    const syncs = sync && known?.isDurable !== true
    const isDurable = sync || known?.isDurable === true
    try {
      keep(disk, folder, name, bytes, { isKnown: known !== undefined, sync: syncs })
      if (syncs) place()
    } catch (error) {
      throw storageError(phrase`keep an artifact of the session`, error)
    }
    whole.set(name, { isDurable })
    return name
  }

  async function putInPool(bytes: Uint8Array): Promise<string> {
    const name = put(bytes, false)
    try {
      if (whole.get(name)?.isDurable !== true) await syncInPool(disk, leadingTo(name))
    } catch (error) {
      // After a failed sync, the file may not contain what was written.
      whole.delete(name)
      throw storageError(phrase`keep an artifact of the session`, error)
    }
    whole.set(name, { isDurable: true })
    isPlaced = true
    return name
  }

  function* leadingTo(name: string): Syncs {
    yield { file: `${folder}/${name}` }
    yield { folder }
    if (!isPlaced) yield { folder: parentOf(folder) }
  }

  return {
    put,
    async putDurably(bytes) {
      if (syncMode === "at-once") return put(bytes, true)
      const own = last.then(() => putInPool(bytes))
      last = own.catch(() => undefined)
      return own
    },
    get(name) {
      const bytes = isArtifactName(name) ? readWhole(disk, `${folder}/${name}`) : null
      if (bytes === null || whole.has(name)) return bytes
      if (!matchesName(name, bytes)) return null
      whole.set(name, { isDurable: false })
      return bytes
    },
  }
}

interface KeepOptions {
  /** The file was verified. */
  readonly isKnown: boolean
  readonly sync: boolean
}

function keep(disk: Disk, folder: string, name: string, bytes: Uint8Array, { isKnown, sync }: KeepOptions): void {
  const path = `${folder}/${name}`
  // After a power cut, a file that was never synced may contain NUL bytes at its full length.
  const isThere = disk.stat(path)?.size === bytes.length && (isKnown || matchesName(name, readWhole(disk, path)))
  if (isThere && !sync) return
  disk.mkdir(folder)
  if (isThere) syncFile(disk, path)
  else writeAtomically(disk, path, bytes, { sync })
  if (sync) disk.syncFolder(folder)
}

function nameOf(bytes: Uint8Array): string {
  return `sha256-${sha256(bytes)}`
}

/** Whether these bytes have the hash in the name. */
export function matchesName(name: string, bytes: Uint8Array | null): boolean {
  return bytes !== null && nameOf(bytes) === name
}

export interface SpillOptions {
  /** A folder of this machine, even for a tape in memory. */
  readonly folder: string
  /** Called before a file may be created in the folder. */
  begun(): void
}

export function artifactsPort(files: ArtifactFiles, disk: Disk, spill: SpillOptions): Artifacts {
  return {
    put: async (bytes, { sync = false } = {}) => (sync ? files.putDurably(bytes) : files.put(bytes, false)),
    get: async (name) => files.get(name),
    async spillPath(name) {
      spill.begun()
      if (!disk.inMemory) makeFolder(disk, spill.folder)
      return `${spill.folder}/${name.replace(/[^A-Za-z0-9._-]/g, "-")}`
    },
  }
}

/** Whether the name is a hash: a name on a damaged or foreign tape must not reach other files. */
export function isArtifactName(name: string): boolean {
  return /^sha256-[0-9a-f]{64}$/.test(name)
}
