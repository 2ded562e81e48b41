import { crc32 } from "node:zlib"
import type { AnchorPlace, Clock, Damage, Entry, Head, Ids, Store, TapeInfo } from "@gong/spec"
import { deepFreeze, failure, FailureError } from "@gong/spec"
import { entryOfLine, headOfEntry, lineOf, maxLine } from "../line.ts"
import { type ArtifactFiles, artifactFiles, artifactsPort } from "./artifacts.ts"
import type { Disk } from "./disk/disk.ts"
import { artifactsFolder, lockFile, phaseNamed } from "./layout.ts"
import { openElsewhere, type Lock, type LockHolder, readHolder } from "./lock.ts"
import type { Machine } from "./machine.ts"
import { readerOf } from "./reader.ts"
import { detailsOut, imagesOut, mayHoldBigDetails, referencesIn } from "./references.ts"
import { storageError, storageFailure } from "./storage.ts"
import type { Writer } from "./writer.ts"

/** What a store is built on. */
export interface StorePorts {
  readonly disk: Disk
  readonly clock: Clock
  readonly ids: Ids
  readonly machine: Machine
}

/** A store on a disk. */
export interface FileStore extends Store {
  /** Who has this tape open for writing, when it is not this store. */
  readonly holder: LockHolder | null
}

/** Where one entry's line stands. */
export interface Place {
  readonly file: string
  readonly offset: number
  readonly length: number
}

/** A tape as it was found on the disk. */
export interface Found {
  readonly path: string
  readonly info: TapeInfo
  readonly heads: Head[]
  readonly places: Place[]
  readonly anchors: AnchorPlace[]
  readonly damage: readonly Damage[]
  readonly writer: Writer
  readonly lock: Lock | null
  readonly holder: LockHolder | null
  readonly readOnly: string | null
  readonly spillFolder: string
}

/** The store over what opening or creating found. */
export function storeOver(ports: StorePorts, found: Found): FileStore {
  const { disk } = ports
  const { path, heads, places, anchors, writer } = found
  const files = artifactFiles(disk, artifactsFolder(path))
  const reader = readerOf(disk)
  // Weakly: an entry is the same object for as long as anybody holds it, and costs nothing after that.
  const known: (WeakRef<Entry> | undefined)[] = []
  let { readOnly, holder } = found

  /** Writes the lines of `entries` with one call of `put`, which gives where the first of them stands. */
  function write(entries: readonly Entry[], sync: boolean, put: (lines: Uint8Array) => Omit<Place, "length">): void {
    if (readOnly !== null) throw storageFailure(`This session is ${readOnly}.`)
    try {
      if (found.lock?.isOurs() === false) loseLock()
      const lines = entries.map((entry) => bytesOf(entry, files, sync))
      const start = put(Buffer.concat(lines))
      let { offset } = start
      for (const [index, entry] of entries.entries()) {
        const length = lines[index]?.length ?? 0
        known[heads.length] = new WeakRef(deepFreeze(entry))
        heads.push(headOfEntry(entry))
        places.push({ file: start.file, offset, length: length - 1 })
        offset += length
      }
    } catch (error) {
      throw storageError("write the session", error)
    }
  }

  function loseLock(): never {
    holder = readHolder(ports, lockFile(path))
    readOnly = holder === null ? "no longer at its place" : openElsewhere(ports, holder)
    throw storageFailure(`This session is ${readOnly}.`)
  }

  function release(): void {
    try {
      found.lock?.release()
    } catch (error) {
      throw storageError("give the session free", error)
    }
  }

  function read(index: number): Entry {
    const place = places[index]
    const head = heads[index]
    if (place === undefined || head === undefined) throw new Error(`Broken promise inside Gong: no entry ${index}`)
    try {
      const line = reader.read(place.file, place.offset, place.length)
      const entry = referencesIn(entryOfLine(line), files.get)
      return deepFreeze(entry.parentId === head.parentId ? entry : { ...entry, parentId: head.parentId })
    } catch (error) {
      // Its check sum was right when the tape was opened: since then somebody else has changed the file.
      if (error instanceof SyntaxError)
        throw storageFailure(`Entry ${head.id} can no longer be read from ${place.file}.`)
      throw storageError("read the session", error)
    }
  }

  return {
    id: found.info.id,
    info: found.info,
    damage: found.damage,
    path: disk.inMemory ? null : path,
    artifacts: artifactsPort(files, disk, found.spillFolder),
    get readOnly() {
      return readOnly
    },
    get holder() {
      return holder
    },
    heads: () => heads,
    anchors: () => anchors,
    entry(index) {
      const kept = known[index]?.deref()
      if (kept !== undefined) return kept
      const entry = read(index)
      known[index] = new WeakRef(entry)
      return entry
    },
    append(entries, { sync }) {
      if (entries.length > 0) write(entries, sync, (lines) => writer.append(lines, sync))
    },
    beginAnchor(anchor, more = []) {
      const first = heads.length
      write([anchor, ...more], true, (lines) => writer.begin(phaseNamed(path, anchor.seq, anchor.name), lines))
      anchors.push({ seq: anchor.seq, first })
    },
    close() {
      readOnly ??= "closed"
      try {
        reader.close()
        writer.close()
      } catch (error) {
        throw storageError("close the session", error)
      } finally {
        release()
      }
    },
  }
}

/** The entry's line with its newline. Big parts go to artifacts first, so that no line names what is not there. */
function bytesOf(entry: Entry, files: ArtifactFiles, sync: boolean): Buffer {
  const put = (bytes: Uint8Array): string => files.put(bytes, sync)
  const stored = imagesOut(entry, put)
  let line = lineOf(stored, crc32)
  if (mayHoldBigDetails(line)) line = lineOf(detailsOut(stored, put), crc32)
  const bytes = Buffer.from(`${line}\n`)
  if (bytes.length > maxLine) throw tooLarge(bytes.length)
  return bytes
}

/** Not a failure of the disk: waiting for room would not help. */
function tooLarge(length: number): FailureError {
  return new FailureError(failure("limit", `An entry of ${length} bytes is too large for the session.`))
}
