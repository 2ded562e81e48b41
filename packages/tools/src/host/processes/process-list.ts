import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { uptime } from "node:os"

/** A running process from /proc. */
export interface ProcessRow {
  readonly pid: number
  /** The pid of its session leader, which may have exited. */
  readonly session: number
  /** Ticks since boot. */
  readonly start: number
}

/** Linux reports process start times in hundredths of a second. */
export const TICKS_PER_SECOND = 100

/** Ticks since boot. In a container that hides the uptime it is too low, never too high. */
export function ticksNow(): number {
  return Math.floor(uptime() * TICKS_PER_SECOND)
}

/** All running processes without zombies; null without /proc. */
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

let shared: Promise<readonly ProcessRow[] | null> | null = null

/** `listProcesses` in the next turn of the event loop, once for all callers until then: many sessions may end at once. */
export function sharedProcessList(): Promise<readonly ProcessRow[] | null> {
  shared ??= new Promise((resolve) =>
    setImmediate(() => {
      shared = null
      resolve(listProcesses())
    }),
  )
  return shared
}

/** Whether the pid still belongs to this process and was not reused. */
export function isStill(seen: ProcessRow): boolean {
  return readRow(seen.pid)?.start === seen.start
}

/** Its initial environment, each variable between two NULs. Empty if it cannot be read. */
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

/** The process name may contain blanks and brackets, so fields are counted after its last bracket. */
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

/** The process that holds a socket. */
export interface Holder {
  readonly cwd: string
  /** Inode of its pid namespace. */
  readonly namespace: string
}

/** The holders of these sockets by inode, among processes that can be inspected. */
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
