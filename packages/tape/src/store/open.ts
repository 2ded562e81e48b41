import { crc32 } from "node:zlib"
import type { AnchorPlace, Damage, TapeInfo } from "@gong/spec"
import { chainOf } from "./chain.ts"
import { type Disk, makeFolder, readWhole, writeWhole } from "./disk/disk.ts"
import { artifactsFolder, lockFile, type Phase, phasesOf, tapeFile } from "./layout.ts"
import { describeHolder, type Lock, type LockHolder, readHolder, takeLock } from "./lock.ts"
import { type Record, type Scan, scanFile } from "./scan.ts"
import { storageError, storageFailure } from "./storage.ts"
import { type FileStore, type StorePorts, storeOver } from "./store.ts"
import { writerOf } from "./writer.ts"

export interface OpenOptions {
  /** The tape's folder. */
  readonly path: string
  /** Only looks; takes no lock. */
  readonly readOnly?: boolean
  /** Where output files of commands go; default: the tape's artifacts. */
  readonly spillFolder?: string
}

export interface CreateOptions {
  /** The folder that holds the tapes; made when missing. */
  readonly sessions: string
  /** Default: a new one. */
  readonly id?: string
  readonly cwd: string
  readonly workspace: string
  readonly from?: TapeInfo["from"]
  readonly spillFolder?: string
}

/** Opens a tape: heads of all lines and their check sums, no bodies. Throws FailureError (`storage`) when there is none. */
export function openStore(ports: StorePorts, options: OpenOptions): FileStore {
  try {
    return open(ports, options)
  } catch (error) {
    throw storageError(`open the session at ${options.path}`, error)
  }
}

/** Makes an empty tape in a folder of its own. It is a tape from the moment its `tape.json` is there. */
export function createStore(ports: StorePorts, options: CreateOptions): FileStore {
  const id = options.id ?? ports.ids.tape()
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) {
    throw storageFailure(`"${id}" cannot be a session id: letters, digits, ".", "_" and "-", at most 64.`)
  }
  const path = `${options.sessions}/${id}`
  try {
    return create(ports, path, id, options)
  } catch (error) {
    throw storageError(`make a session in ${options.sessions}`, error)
  }
}

function create(ports: StorePorts, path: string, id: string, options: CreateOptions): FileStore {
  const { disk, clock } = ports
  makeFolder(disk, path)
  if (disk.stat(tapeFile(path)) !== null) throw storageFailure(`Session ${id} is there already.`)
  const locked = takeLock(ports, lockFile(path))
  if ("holder" in locked)
    throw storageFailure(`Session ${id} is open in another gong (${describeHolder(ports, locked.holder)}).`)
  const { cwd, workspace, from } = options
  const created = new Date(clock.now()).toISOString()
  const info: TapeInfo = { format: 1, id, cwd, workspace, created, ...(from === undefined ? {} : { from }) }
  try {
    writeWhole(disk, tapeFile(path), Buffer.from(`${JSON.stringify(info)}\n`), { sync: true })
    disk.syncFolder(path)
  } catch (error) {
    locked.release()
    throw error
  }
  const empty = { heads: [], places: [], anchors: [], damage: [], holder: null, readOnly: null }
  const spillFolder = options.spillFolder ?? artifactsFolder(path)
  return storeOver(ports, { path, info, ...empty, writer: writerOf(disk, path, null), lock: locked, spillFolder })
}

function open(ports: StorePorts, options: OpenOptions): FileStore {
  const { disk } = ports
  const { path } = options
  const info = readInfo(disk, path)
  const access = accessTo(ports, options, info)
  try {
    const scans = phasesOf(disk, path).map((phase) => ({ phase, ...scanPhase(disk, phase) }))
    const chain = chainOf(scans.flatMap((scan) => scan.records))
    const last = scans.at(-1)
    const writer = writerOf(
      disk,
      path,
      last === undefined ? null : { ...last.phase, size: last.size, clean: last.clean },
    )
    return storeOver(ports, {
      path,
      info,
      heads: [...chain.heads],
      places: chain.records.map(({ file, offset, length }) => ({ file, offset, length })),
      anchors: anchorsOf(scans, chain.records),
      damage: [...damageOf(scans, access.holder), ...chain.damage],
      writer,
      ...access,
      spillFolder: options.spillFolder ?? artifactsFolder(path),
    })
  } catch (error) {
    access.lock?.release()
    throw error
  }
}

function readInfo(disk: Disk, path: string): TapeInfo {
  const bytes = readWhole(disk, tapeFile(path))
  if (bytes === null) throw storageFailure(`No session at ${path}.`)
  const info = parseInfo(bytes)
  if (info === null) throw storageFailure(`${tapeFile(path)} is not the file of a session.`)
  return info
}

/** What `tape.json` says; a newer format still has these fields. */
export function parseInfo(bytes: Uint8Array): TapeInfo | null {
  try {
    const info = JSON.parse(Buffer.from(bytes).toString()) as Partial<TapeInfo> | null
    const isInfo = typeof info?.format === "number" && typeof info.id === "string" && typeof info.cwd === "string"
    return isInfo ? (info as TapeInfo) : null
  } catch {
    return null
  }
}

interface Access {
  readonly lock: Lock | null
  readonly holder: LockHolder | null
  readonly readOnly: string | null
}

function accessTo(ports: StorePorts, options: OpenOptions, info: TapeInfo): Access {
  const path = lockFile(options.path)
  if ((info.format as number) > 1) {
    return {
      lock: null,
      holder: null,
      readOnly: `written by a newer gong (format ${info.format}) and only readable here`,
    }
  }
  if (options.readOnly === true) return { lock: null, holder: readHolder(ports, path), readOnly: "opened for reading" }
  const locked = takeLock(ports, path)
  if (!("holder" in locked)) return { lock: locked, holder: null, readOnly: null }
  const { holder } = locked
  return { lock: null, holder, readOnly: `open in another gong (${describeHolder(ports, holder)})` }
}

function scanPhase(disk: Disk, phase: Phase): Scan {
  if (disk.stat(phase.file) === null) return { records: [], damage: [], size: 0, clean: true }
  return scanFile(disk, phase.file, crc32)
}

function anchorsOf(scans: readonly { readonly phase: Phase }[], records: readonly Record[]): AnchorPlace[] {
  let first = 0
  return scans.map(({ phase }) => {
    const place = { seq: phase.seq, first }
    while (records[first]?.file === phase.file) first += 1
    return place
  })
}

/** A last line that its writer is just writing is not damaged. */
function damageOf(scans: readonly Scan[], holder: LockHolder | null): readonly Damage[] {
  return scans.flatMap(({ damage, clean }, index) =>
    holder !== null && index === scans.length - 1 && !clean ? damage.slice(0, -1) : damage,
  )
}
