import { crc32 } from "./artifacts/digest.ts"
import {
  type AnchorPlace,
  type Clock,
  type Damage,
  type Entry,
  type Ids,
  phrase,
  type Phrase,
  sentence,
  type Store,
  type TapeInfo,
  type Text,
} from "@gong/spec"
import { deepFreeze, failure, FailureError } from "@gong/spec"
import { headOfEntry, lineOf, maxLine } from "../line.ts"
import { type ArtifactFiles, artifactFiles, artifactsPort } from "./artifacts/artifacts.ts"
import { entryCacheOf } from "./read/entry-cache.ts"
import { codeOf, type Disk, parentOf } from "./disk/disk.ts"
import { artifactsFolder, lockFile, phaseNamed } from "./layout.ts"
import type { Lines, LineLocation } from "./read/lines.ts"
import { describeHolder, type Lock, type LockHolder, readHolder } from "./lock/lock.ts"
import type { Machine } from "./lock/machine.ts"
import { externalizeDetails, externalizeImages, mayHaveLargeDetails } from "./artifacts/references.ts"
import { trimSpill } from "./artifacts/spill.ts"
import { storageError, storageFailure } from "./storage.ts"
import type { SyncMode } from "./write/syncs.ts"
import type { Start, Writer } from "./write/writer.ts"

/** The ports of a store. */
export interface StorePorts {
  readonly disk: Disk
  readonly clock: Clock
  readonly ids: Ids
  readonly machine: Machine
  /** Default: `at-once`. In the thread pool, a slow disk only delays callers that wait for `Store.settled`. */
  readonly syncMode?: SyncMode
}

export function syncModeOf({ syncMode = "at-once" }: StorePorts): SyncMode {
  return syncMode
}

/** A store on a disk. */
export interface FileStore extends Store {
  /** The process that has this tape open for writing, when it is not this store. */
  readonly holder: LockHolder | null
  /** The location of the line at an index. */
  location(index: number): LineLocation
}

/** The state of a tape after it was opened or created. */
export interface TapeState {
  readonly path: string
  readonly info: TapeInfo
  /** Grows with the tape. */
  readonly lines: Lines
  readonly anchors: AnchorPlace[]
  readonly damage: readonly Damage[]
  readonly writer: Writer
  readonly lock: Lock | null
  readonly holder: LockHolder | null
  readonly readOnly: Text | null
  readonly spillFolder: string
}

/** The store over the state of a tape. */
export function fileStoreOf(ports: StorePorts, found: TapeState): FileStore {
  const { disk } = ports
  const { path, lines, anchors, writer } = found
  const files = artifactFiles(disk, artifactsFolder(path), syncModeOf(ports))
  const bodies = entryCacheOf(disk, lines, files)
  let { readOnly, holder } = found
  let spilled = false
  const whyReadOnly = (): Text | null => readOnly ?? (writer.failure && syncFailedReason(writer.failure.error))

  /** Writes the lines of `entries` with one call of `put`, which returns the position of the first line. */
  function write(entries: readonly Entry[], put: (bytes: Uint8Array) => Start): void {
    const why = whyReadOnly()
    if (why !== null) throw storageFailure(sentence(phrase`This session is ${why}`))
    try {
      if (found.lock?.isOurs() === false) loseLock()
      const texts = entries.map((entry) => bytesOf(entry, files))
      const start = put(joined(texts))
      let { offset } = start
      for (const [index, entry] of entries.entries()) {
        const length = texts[index]?.length ?? 0
        bodies.add(lines.length, deepFreeze(entry))
        lines.add(headOfEntry(entry), { file: start.file, offset, length: length - 1 })
        offset += length
      }
    } catch (error) {
      throw storageError(phrase`write the session`, error)
    }
  }

  function loseLock(): never {
    holder = readHolder(ports, lockFile(path))
    readOnly = holder === null ? phrase`no longer at its place` : describeHolder(ports, holder)
    throw storageFailure(sentence(phrase`This session is ${readOnly}`))
  }

  return {
    id: found.info.id,
    info: found.info,
    damage: found.damage,
    path: disk.inMemory ? null : path,
    artifacts: artifactsPort(files, disk, { folder: found.spillFolder, begun: () => void (spilled = true) }),
    get readOnly() {
      return whyReadOnly()
    },
    get holder() {
      return holder
    },
    get length() {
      return lines.length
    },
    head: lines.head,
    kind: lines.kind,
    heads: () => Array.from({ length: lines.length }, (_, at) => lines.head(at)),
    parentOf: lines.parentOf,
    placeOf: lines.placeOf,
    location: lines.location,
    anchors: () => anchors,
    entry: bodies.entry,
    append(entries, { sync }) {
      if (entries.length > 0) write(entries, (bytes) => writer.append(bytes, sync))
    },
    beginSync: writer.beginSync,
    settled: (scope) => asFailure(writer.settled(scope)),
    beginAnchor(anchor, more = []) {
      const first = lines.length
      const phase = phaseNamed(path, anchor.seq, anchor.name)
      write([anchor, ...more], (bytes) => writer.begin(phase, bytes))
      anchors.push({ seq: phase.seq, name: phase.name, first })
    },
    close() {
      readOnly ??= phrase`closed`
      closeAll([bodies.close, writer.close, () => found.lock?.release()])
      if (spilled && found.spillFolder === artifactsFolder(path)) trimSpill(disk, ports.clock.now(), parentOf(path))
    },
  }
}

function asFailure(open: Promise<void> | null): Promise<void> | null {
  if (open === null) return null
  const settled = open.catch((error: unknown) => {
    throw storageError(phrase`make the session durable`, error)
  })
  // A caller that only checks for null need not handle the rejection.
  settled.catch(() => undefined)
  return settled
}

/** After a failed sync the system drops the unsynced data: a second sync would succeed without it. */
function syncFailedReason(error: unknown): Phrase {
  return phrase`not written any more, since the disk could not make it durable (${codeOf(error)})`
}

/** Closes all of them even when one fails: a file that cannot be closed must not keep the lock. */
function closeAll(closes: readonly (() => void)[]): void {
  const errors: unknown[] = []
  for (const close of closes) {
    try {
      close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw storageError(phrase`close the session`, errors[0])
}

/** The lines of one write; mostly there is only one. */
function joined(texts: readonly Uint8Array[]): Uint8Array {
  const [only] = texts
  return only !== undefined && texts.length === 1 ? only : Buffer.concat(texts)
}

/** The line of an entry with its newline. Large parts are stored as artifacts first, so that no line names a missing artifact. */
function bytesOf(entry: Entry, files: ArtifactFiles): Uint8Array {
  const put = (bytes: Uint8Array): string => files.put(bytes, true)
  const stored = externalizeImages(entry, put)
  let bytes = lineOf(stored, crc32)
  if (mayHaveLargeDetails(bytes)) {
    const smaller = externalizeDetails(stored, put)
    if (smaller !== stored) bytes = lineOf(smaller, crc32)
  }
  if (bytes.length > maxLine) throw tooLarge(bytes.length)
  return bytes
}

/** Not a disk failure: waiting for space would not help. */
function tooLarge(length: number): FailureError {
  return new FailureError(failure("limit", phrase`An entry of ${length} bytes is too large for the session.`))
}
