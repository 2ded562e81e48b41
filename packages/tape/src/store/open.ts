import { crc32Over } from "./digest.ts"
import type { AnchorPlace, Damage, TapeInfo } from "@gong/spec"
import { chainOf } from "./chain.ts"
import { type Disk, parentOf, readWhole, writeWhole } from "./disk/disk.ts"
import { anchorsFolder, artifactsFolder, lockFile, type Phase, phasesOf, tapeFile } from "./layout.ts"
import { openElsewhere, type Lock, type LockHolder, readHolder, takeLock } from "./lock.ts"
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
  const { disk } = ports
  const made = disk.mkdir(anchorsFolder(path))
  const outermost = made !== null && made.length < path.length ? made : path
  const locked = takeLock(ports, lockFile(path))
  if ("holder" in locked) throw storageFailure(`Session ${id} is ${openElsewhere(ports, locked.holder)}.`)
  try {
    if (infoOf(disk, path) !== null) throw storageFailure(`Session ${id} is there already.`)
    const info = infoFor(ports, id, options)
    writeWhole(disk, tapeFile(path), Buffer.from(`${JSON.stringify(info)}\n`), { sync: false })
    return storeOver(ports, {
      path,
      info,
      heads: [],
      places: [],
      anchors: [],
      damage: [],
      writer: writerOf(disk, { tape: path, last: null, settle: () => settle(disk, path, outermost) }),
      lock: locked,
      holder: null,
      readOnly: null,
      spillFolder: options.spillFolder ?? artifactsFolder(path),
    })
  } catch (error) {
    locked.release()
    throw error
  }
}

function infoFor({ clock }: StorePorts, id: string, { cwd, workspace, from }: CreateOptions): TapeInfo {
  const created = new Date(clock.now()).toISOString()
  return { format: 1, id, cwd, workspace, created, ...(from === undefined ? {} : { from }) }
}

/**
 * Everything that leads to the first phase, synced together with it: one commit of the file system instead of one for
 * each step, and nothing was promised before. `outermost`: of the folders that had to be made.
 */
function settle(disk: Disk, path: string, outermost: string): void {
  const file = disk.open(tapeFile(path), "read")
  try {
    disk.sync(file)
  } finally {
    disk.close(file)
  }
  for (let at = anchorsFolder(path); at.length >= outermost.length; at = parentOf(at)) disk.syncFolder(at)
  disk.syncFolder(parentOf(outermost))
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
    const writer = writerOf(disk, {
      tape: path,
      last: last === undefined ? null : { ...last.phase, size: last.size, clean: last.clean },
      settle: () => settle(disk, path, path),
    })
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
  const info = infoOf(disk, path)
  if (info !== null) return info
  const isThere = disk.stat(tapeFile(path)) !== null
  throw storageFailure(isThere ? `${tapeFile(path)} is not the file of a session.` : `No session at ${path}.`)
}

/** What `tape.json` says, or null when the folder is not a tape. A newer format still has these fields. */
export function infoOf(disk: Disk, path: string): TapeInfo | null {
  const bytes = readWhole(disk, tapeFile(path))
  if (bytes === null) return null
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
  return { lock: null, holder, readOnly: openElsewhere(ports, holder) }
}

function scanPhase(disk: Disk, phase: Phase): Scan {
  const stat = disk.stat(phase.file)
  if (stat === null) return { records: [], damage: [], size: 0, clean: true }
  return scanFile(disk, phase.file, crc32Over(stat.size))
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
