import { phrase, type Text } from "@gong/spec"
import type { Damage, TapeInfo } from "@gong/spec"
import { type Chain, createChain } from "./read/chain.ts"
import { crc32Over } from "./artifacts/digest.ts"
import type { Disk } from "./disk/disk.ts"
import { artifactsFolder, lockFile, type Phase, phasesOf } from "./layout.ts"
import { describeHolder, type Lock, type LockHolder, readHolder, takeLock } from "./lock/lock.ts"
import { scanOn } from "./read/scan.ts"
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
    const phases = phasesOf(disk, path).map((phase) => ({ phase, bytes: disk.stat(phase.file)?.size ?? null }))
    const chain = createChain(linesIn(phases.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)))
    const scans = phases.map((one) => scanPhase(disk, one, chain))
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
      lines: chain.lines,
      anchors: scans.map(({ phase: { seq, name }, first }) => ({ seq, name, first })),
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

/** About how many lines so many bytes are. */
function linesIn(bytes: number): number {
  return Math.ceil(bytes / 400)
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

interface ScannedPhase {
  readonly phase: Phase
  /** The index of its first line. */
  readonly first: number
  readonly size: number
  readonly clean: boolean
  readonly damage: readonly Damage[]
}

/** Adds the lines of a phase to the chain. */
function scanPhase(
  disk: Disk,
  { phase, bytes }: { readonly phase: Phase; readonly bytes: number | null },
  { lines, add }: Chain,
): ScannedPhase {
  const first = lines.length
  const damage: Damage[] = []
  if (bytes === null) return { phase, first, size: 0, clean: true, damage }
  const scan = { path: phase.file, start: 0, crc32: crc32Over(bytes) }
  const { size, clean } = scanOn(disk, scan, add, damage)
  return { phase, first, size, clean, damage }
}

/** An incomplete last line is not damage while another process writes the tape. */
function damageOf(scans: readonly ScannedPhase[], holder: LockHolder | null): readonly Damage[] {
  return scans.flatMap(({ damage, clean }, index) =>
    holder !== null && index === scans.length - 1 && !clean ? damage.slice(0, -1) : damage,
  )
}
