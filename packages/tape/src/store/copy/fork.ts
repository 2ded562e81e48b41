import { hostOf, phrase } from "@gong/spec"
import type { TapeInfo } from "@gong/spec"
import { createTape } from "../../tape.ts"
import { isArtifactName, matchesName } from "../artifacts/artifacts.ts"
import { type Disk, linkOrCopy, makeFolder, parentOf, readUpTo, readWhole, syncFile } from "../disk/disk.ts"
import { newInfo, writeInfo } from "../info.ts"
import { artifactsFolder, lockFile, type Phase, phasesOf } from "../layout.ts"
import { describeHolder, takeLock } from "../lock/lock.ts"
import { openStore } from "../open.ts"
import { removeTape, createAtomically } from "./atomic-create.ts"
import { storageError, storageFailure } from "../storage.ts"
import type { FileStore, StorePorts } from "../store.ts"

export interface ForkOptions {
  /** The folder of the source tape. It may be open in another process; it is only read. */
  readonly path: string
  /** The entry from which the fork continues; default: the last entry. */
  readonly entry?: string
  /** Default: a new id. */
  readonly id?: string
  /** Default: those of the tape that is forked. */
  readonly place?: Pick<TapeInfo, "cwd" | "workspace">
}

/**
 * Creates a tape beside the source, with all its entries and its own history from here on. Only the newest phase is copied: older
 * phases and artifacts are hard links. Returns the folder of the fork. Throws FailureError (`storage`).
 */
export function forkTape(ports: StorePorts, options: ForkOptions): string {
  const { disk, ids, clock } = ports
  try {
    const source = openStore(ports, { path: options.path, readOnly: true })
    try {
      const entry = forkPoint(source, options.entry)
      const id = options.id ?? ids.tape()
      const from = { id: source.id, entry }
      const place = options.place ?? source.info
      const info = newInfo(ports, id, { ...place, host: hostOf(source.info), from })
      return createAtomically(disk, clock.now(), parentOf(options.path), id, (folder) => {
        copyEntries(disk, options.path, folder, source.holder !== null)
        linkArtifacts(disk, options.path, folder)
        writeInfo(disk, folder, info, { sync: true })
        if (entry !== lastId(source)) navigateTo(ports, folder, entry)
      })
    } finally {
      source.close()
    }
  } catch (error) {
    throw storageError(phrase`fork the session at ${options.path}`, error)
  }
}

/** Removes a fork; its source stays. Throws FailureError (`storage`). */
export function discardFork(ports: StorePorts, path: string): void {
  const { disk } = ports
  const store = openStore(ports, { path, readOnly: true })
  store.close()
  if (store.info.from === undefined)
    throw storageFailure(phrase`Session ${store.id} is no fork, so it is not discarded.`)
  const locked = takeLock(ports, lockFile(path))
  if ("holder" in locked) throw storageFailure(phrase`Session ${store.id} is ${describeHolder(ports, locked.holder)}.`)
  try {
    removeTape(disk, parentOf(path), path.slice(parentOf(path).length + 1))
  } catch (error) {
    throw storageError(phrase`discard the session at ${path}`, error)
  } finally {
    locked.release()
  }
}

/**
 * Links the artifacts that the target lacks. Artifacts of the source were synced before their entries were written; those at the
 * target may come from a killed process and be torn or not durable. Long outputs of commands stay where they are.
 */
export function linkArtifacts(disk: Disk, from: string, to: string): void {
  const target = artifactsFolder(to)
  const known = new Set(disk.list(target))
  const names = disk.list(artifactsFolder(from)).filter(isArtifactName)
  if (names.length === 0) return
  makeFolder(disk, target)
  for (const name of names) {
    const [there, here] = [`${artifactsFolder(from)}/${name}`, `${target}/${name}`]
    if (!known.has(name)) linkOrCopy(disk, there, here)
    else if (disk.stat(there)?.inode !== disk.stat(here)?.inode) replaceDamaged(disk, name, there, here)
  }
  disk.syncFolder(target)
}

/** Replaces a damaged artifact atomically, so that a power cut leaves one of the two. */
function replaceDamaged(disk: Disk, name: string, there: string, here: string): void {
  if (matchesName(name, readWhole(disk, here))) return syncFile(disk, here)
  const beside = `${here}.tmp`
  if (disk.stat(beside) !== null) disk.unlink(beside)
  linkOrCopy(disk, there, beside)
  disk.rename(beside, here)
}

function forkPoint(source: FileStore, wanted: string | undefined): string {
  if ((source.info.format as number) > 1) throw storageFailure(phrase`Session ${source.id} is ${source.readOnly}.`)
  const last = lastId(source)
  if (last === null) throw storageFailure(phrase`Session ${source.id} has no steps to fork.`)
  if (wanted === undefined || source.placeOf(wanted) !== undefined) return wanted ?? last
  throw storageFailure(phrase`Session ${source.id} has no step ${wanted}.`)
}

export function lastId(tape: FileStore): string | null {
  return tape.length === 0 ? null : tape.head(tape.length - 1).id
}

function copyEntries(disk: Disk, from: string, to: string, written: boolean): void {
  const phases = phasesOf(disk, from)
  for (const [at, phase] of phases.entries()) {
    const target = pathsIn(phase, from, to)
    makeFolder(disk, target.folder)
    if (disk.stat(phase.file) === null) continue
    // Only the newest phase is appended to.
    if (at < phases.length - 1) linkOrCopy(disk, phase.file, target.file)
    else copyLines(disk, phase.file, target.file, written)
    disk.syncFolder(target.folder)
  }
}

function pathsIn(phase: Phase, from: string, to: string): Pick<Phase, "folder" | "file"> {
  return { folder: to + phase.folder.slice(from.length), file: to + phase.file.slice(from.length) }
}

const window = 1024 * 1024

/** Copies all bytes, including damaged ones, except an incomplete last line while another process is `writing`. */
function copyLines(disk: Disk, from: string, to: string, writing: boolean): void {
  const source = disk.open(from, "read")
  try {
    const size = disk.fstat(source).size
    const end = writing ? endOfLines(disk, source, size) : size
    const target = disk.open(to, "append")
    try {
      for (let at = 0; at < end; at += window) {
        disk.write(target, readUpTo(disk, source, at, Math.min(window, end - at)))
      }
      disk.sync(target)
    } finally {
      disk.close(target)
    }
  } finally {
    disk.close(source)
  }
}

/** The offset of the end of the last complete line. */
function endOfLines(disk: Disk, file: number, size: number): number {
  for (let end = size; end > 0; end -= window) {
    const from = Math.max(0, end - window)
    const newline = readUpTo(disk, file, from, end - from).lastIndexOf(0x0a)
    if (newline !== -1) return from + newline + 1
  }
  return 0
}

function navigateTo(ports: StorePorts, path: string, entry: string): void {
  const tape = createTape(openStore(ports, { path }), ports)
  try {
    tape.navigate(entry, "")
  } finally {
    tape.close()
  }
}
