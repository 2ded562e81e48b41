import { type Clock, type Ids, parseJson, phrase, type Phrase } from "@gong/spec"
import { codeOf, type Disk, readWhole, unlinkQuietly } from "../disk/disk.ts"
import { type Machine, scopeOfStart } from "./machine.ts"

/** The process that has a tape open for writing. */
export interface LockHolder {
  readonly pid: number
  readonly host: string
  readonly startTime: string
  readonly nonce: string
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly beat: number
}

export interface Lock {
  /** Whether the lock file is still the one of this process. Makes one disk call and reads nothing. */
  isOurs(): boolean
  release(): void
}

export interface LockPorts {
  readonly disk: Disk
  readonly clock: Clock
  readonly ids: Ids
  readonly machine: Machine
}

export const heartbeatMs = 5000
/** A holder whose process cannot be checked counts as dead after this long without a heartbeat. */
export const staleMs = 30_000

/** Takes the lock, or returns its holder. A stale lock is replaced (engine D21). */
export function takeLock(ports: LockPorts, path: string): Lock | { readonly holder: LockHolder } {
  for (let round = 0; round < 3; round++) {
    const lock = create(ports, path)
    if (lock !== null) return lock
    const holder = readHolder(ports, path)
    if (holder !== null && !isStale(ports, holder)) return { holder }
    if (holder !== null) clearStale(ports, path, holder)
  }
  return { holder: readHolder(ports, path) ?? unknownHolder(ports, path) }
}

/** The holder in a lock file, or null when there is no file. An incomplete file has an unknown holder. */
export function readHolder(ports: LockPorts, path: string): LockHolder | null {
  const bytes = readWhole(ports.disk, path)
  if (bytes === null) return null
  const value = parseJson(new TextDecoder().decode(bytes))
  return isHolder(value) ? value : unknownHolder(ports, path)
}

function isHolder(value: unknown): value is LockHolder {
  const { pid, host, startTime, nonce, since, beat } = (value ?? {}) as Partial<Record<keyof LockHolder, unknown>>
  const areTexts = [host, startTime, nonce].every((field) => typeof field === "string")
  return areTexts && Number.isInteger(pid) && [since, beat].every((field) => Number.isFinite(field))
}

/** The holder of a lock that is not stale; null when the lock is free or its process is gone. */
export function liveHolder(ports: LockPorts, path: string): LockHolder | null {
  const holder = readHolder(ports, path)
  return holder === null || isStale(ports, holder) ? null : holder
}

/** For people: `open in another gong (pid 812, this machine, 3 min)`. */
export function describeHolder(ports: Pick<LockPorts, "clock" | "machine">, holder: LockHolder): Phrase {
  const since = age(ports.clock.now() - holder.since)
  if (holder.host === "") return phrase`open in another gong (it has not said which, ${since})`
  const where = holder.host === ports.machine.host ? phrase`this machine` : holder.host
  return phrase`open in another gong (pid ${holder.pid}, ${where}, ${since})`
}

function create(ports: LockPorts, path: string): Lock | null {
  const { disk, clock, ids, machine } = ports
  const now = clock.now()
  const { pid, host, startTime } = machine
  const holder: LockHolder = { pid, host, startTime, nonce: ids.entry(), since: now, beat: now }
  const file = createLockFile(disk, path, holder)
  if (file === null) return null
  // The file stays open, so no later lock can have its inode: comparing inodes is as good as reading the nonce.
  const { inode } = disk.fstat(file)
  const isOurs = (): boolean => disk.stat(path)?.inode === inode
  const stop = startHeartbeat(ports, file, holder)
  return {
    isOurs,
    release() {
      stop()
      const ours = isOurs()
      try {
        disk.close(file)
      } finally {
        if (ours) disk.unlink(path)
      }
    },
  }
}

/**
 * The open lock file, or null when one exists. The file appears with its holder in it, so that a killed process leaves no lock
 * without a holder.
 */
function createLockFile(disk: Disk, path: string, holder: LockHolder): number | null {
  const beside = `${path}.${holder.nonce}`
  const file = disk.open(beside, "create")
  try {
    writeHolder(disk, file, holder)
    if (disk.link(beside, path)) return file
  } catch (error) {
    disk.close(file)
    if (codeOf(error) === "EEXIST") return null
    throw error
  } finally {
    unlinkQuietly(disk, beside)
  }
  disk.close(file)
  return createWithoutLink(disk, path, holder)
}

/** For file systems without hard links: for a moment the lock has no holder. */
function createWithoutLink(disk: Disk, path: string, holder: LockHolder): number | null {
  const file = createFile(disk, path)
  if (file === null) return null
  try {
    writeHolder(disk, file, holder)
    return file
  } catch (error) {
    disk.close(file)
    disk.unlink(path)
    throw error
  }
}

function createFile(disk: Disk, path: string): number | null {
  try {
    return disk.open(path, "create")
  } catch (error) {
    if (codeOf(error) === "EEXIST") return null
    throw error
  }
}

const encoder = new TextEncoder()

/** Overwrites the holder, always with the same length, so that a reader never sees an incomplete one. */
function writeHolder(disk: Disk, file: number, holder: LockHolder): void {
  disk.write(file, encoder.encode(`${JSON.stringify(holder)}\n`), 0)
}

function startHeartbeat(ports: LockPorts, file: number, holder: LockHolder): () => void {
  let cancel = ports.clock.timer(heartbeatMs, beat)
  return () => cancel()

  function beat(): void {
    try {
      writeHolder(ports.disk, file, { ...holder, beat: ports.clock.now() })
    } catch {
      // A failing disk is reported by the next append; until then the old heartbeat stays.
    }
    cancel = ports.clock.timer(heartbeatMs, beat)
  }
}

function isStale(ports: LockPorts, holder: LockHolder): boolean {
  const { machine, clock } = ports
  const seesPid = holder.host === machine.host && scopeOfStart(holder.startTime) === scopeOfStart(machine.startTime)
  if (!seesPid) return clock.now() - holder.beat > staleMs
  const start = machine.startTimeOf(holder.pid)
  return start === null || (start !== "" && holder.startTime !== "" && start !== holder.startTime)
}

/** Removes a stale lock, in one process at a time: otherwise two processes could remove each other's new lock. */
function clearStale(ports: LockPorts, path: string, stale: LockHolder): void {
  const { disk, clock } = ports
  const guard = `${path}.take`
  const file = createFile(disk, guard)
  if (file === null) {
    const age = clock.now() - (disk.stat(guard)?.mtimeMs ?? clock.now())
    if (age > staleMs) tryUnlink(disk, guard)
    return
  }
  try {
    if (readHolder(ports, path)?.nonce === stale.nonce) tryUnlink(disk, path)
  } finally {
    disk.close(file)
    tryUnlink(disk, guard)
  }
}

function tryUnlink(disk: Disk, path: string): void {
  try {
    disk.unlink(path)
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
  }
}

/** The holder of an incomplete lock file: the file's modification time counts as its heartbeat. */
function unknownHolder(ports: LockPorts, path: string): LockHolder {
  const time = ports.disk.stat(path)?.mtimeMs ?? ports.clock.now()
  return { pid: 0, host: "", startTime: "", nonce: "", since: time, beat: time }
}

function age(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${seconds} s`
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}
