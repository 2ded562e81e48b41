import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { uptime } from "node:os"

/** One living process as /proc shows it. */
export interface ProcessRow {
  readonly pid: number
  /** The process id of the leader of its session, which may be gone. */
  readonly session: number
  /** Ticks since boot. */
  readonly start: number
}

/** Linux counts the starts of processes in hundredths of a second, whatever its own clock does. */
export const TICKS_PER_SECOND = 100

/** Ticks since boot. In a container that hides the machine's uptime it is too low, never too high. */
export function ticksNow(): number {
  return Math.floor(uptime() * TICKS_PER_SECOND)
}

/** All that live, zombies left out; null where there is no /proc. */
export function listProcesses(): readonly ProcessRow[] | null {
  const names = namesInProc()
  if (names === null) return null
  const rows: ProcessRow[] = []
  for (const name of names) {
    const row = readRow(Number(name))
    if (row !== null) rows.push(row)
  }
  return rows
}

/** Whether this number still belongs to the process that was seen, and not to a later one. */
export function isStill(seen: ProcessRow): boolean {
  return readRow(seen.pid)?.start === seen.start
}

/** Its variables as they were when it began, each between two NULs; none where they may not be read. */
export function environmentOf(pid: number): string {
  const text = readText(`/proc/${pid}/environ`)
  return text === null ? "" : `\0${text}`
}

function namesInProc(): readonly string[] | null {
  try {
    const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
    return names.length === 0 ? null : names
  } catch {
    return null
  }
}

/** The name in a row may hold blanks and brackets: the fields are counted from its last bracket. */
function readRow(pid: number): ProcessRow | null {
  const text = readText(`/proc/${pid}/stat`)
  if (text === null) return null
  const [state, , , session, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ")
  if (state === "Z" || state === "X") return null
  return { pid, session: Number(session), start: Number(rest[15]) }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return null
  }
}

/** The process that has a socket open. */
export interface Holder {
  readonly cwd: string
  /** The number of its process namespace. */
  readonly namespace: string
}

/** Of these sockets, by their numbers, those that a process holds into which this one may look. */
export function socketHolders(sockets: ReadonlySet<string>): ReadonlyMap<string, Holder> {
  const holders = new Map<string, Holder>()
  for (const pid of namesInProc() ?? []) {
    for (const socket of socketsOf(pid)) {
      if (!sockets.has(socket) || holders.has(socket)) continue
      const [cwd, namespace] = [linkText(`/proc/${pid}/cwd`), linkText(`/proc/${pid}/ns/pid`)]
      if (cwd !== null && namespace !== null) holders.set(socket, { cwd, namespace: namespace.replaceAll(/\D/g, "") })
    }
    if (holders.size === sockets.size) break
  }
  return holders
}

function socketsOf(pid: string): readonly string[] {
  try {
    const folder = `/proc/${pid}/fd`
    const texts = readdirSync(folder).map((name) => linkText(`${folder}/${name}`))
    return texts.flatMap((text) => /^socket:\[(\d+)\]$/.exec(text ?? "")?.[1] ?? [])
  } catch {
    return []
  }
}

function linkText(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
