import { phrase, type Text } from "@gong/spec"
import type { AnchorPlace, Damage, TapeInfo } from "@gong/spec"
import { type Chain, chainOf } from "./read/chain.ts"
import { crc32Over } from "./artifacts/digest.ts"
import type { Disk } from "./disk/disk.ts"
import { artifactsFolder, lockFile, type Phase, phasesOf } from "./layout.ts"
import { type Lines, linesFor } from "./read/lines.ts"
import { describeHolder, type Lock, type LockHolder, readHolder, takeLock } from "./lock/lock.ts"
import { type Record, type Scan, scanFile } from "./read/scan.ts"
import { tapeSyncs } from "./write/ancestor-syncs.ts"
import { storageError } from "./storage.ts"
import { readInfo } from "./info.ts"
import { type FileStore, type StorePorts, fileStoreOf, syncModeOf } from "./store.ts"
import { writerOf } from "./write/writer.ts"

export interface OpenOptions {
  /** The tape's folder. */
  readonly path: string
  /** Opens the tape without a lock. */
  readonly readOnly?: boolean
  /** The folder for output files of commands; default: the tape's artifacts. */
  readonly spillFolder?: string
}

/** Opens a tape: reads the heads and checksums of all lines, without bodies. Throws FailureError (`storage`) without a tape. */
export function openStore(ports: StorePorts, options: OpenOptions): FileStore {
  try {
    return open(ports, options)
  } catch (error) {
    throw storageError(phrase`open the session at ${options.path}`, error)
  }
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
      ancestorSyncs: () => tapeSyncs(disk, path),
      syncMode: syncModeOf(ports),
    })
    return fileStoreOf(ports, {
      path,
      info,
      lines: linesOf(chain),
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

function linesOf({ heads, records }: Chain): Lines {
  const lines = linesFor(records.length)
  for (const [at, record] of records.entries()) lines.add(heads[at] ?? record.head, record)
  return lines
}

interface Access {
  readonly lock: Lock | null
  readonly holder: LockHolder | null
  readonly readOnly: Text | null
}

function accessTo(ports: StorePorts, options: OpenOptions, info: TapeInfo): Access {
  const path = lockFile(options.path)
  if ((info.format as number) > 1) {
    return {
      lock: null,
      holder: null,
      readOnly: phrase`written by a newer gong (format ${info.format}) and only readable here`,
    }
  }
  if (options.readOnly === true)
    return { lock: null, holder: readHolder(ports, path), readOnly: phrase`opened for reading` }
  const locked = takeLock(ports, path)
  if (!("holder" in locked)) return { lock: locked, holder: null, readOnly: null }
  const { holder } = locked
  return { lock: null, holder, readOnly: describeHolder(ports, holder) }
}

function scanPhase(disk: Disk, phase: Phase): Scan {
  const stat = disk.stat(phase.file)
  if (stat === null) return { records: [], damage: [], size: 0, clean: true }
  return scanFile(disk, phase.file, crc32Over(stat.size))
}

function anchorsOf(scans: readonly { readonly phase: Phase }[], records: readonly Record[]): AnchorPlace[] {
  let first = 0
  return scans.map(({ phase }) => {
    const place = { seq: phase.seq, name: phase.name, first }
    while (records[first]?.file === phase.file) first += 1
    return place
  })
}

/** An incomplete last line is not damage while another process writes the tape. */
function damageOf(scans: readonly Scan[], holder: LockHolder | null): readonly Damage[] {
  return scans.flatMap(({ damage, clean }, index) =>
    holder !== null && index === scans.length - 1 && !clean ? damage.slice(0, -1) : damage,
  )
}
