import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** Identifies this process among all that could open a tape. */
export interface Machine {
  readonly pid: number
  readonly host: string
  /** Identifies the start of this process, since pids are reused; "" when the system does not tell. */
  readonly startTime: string
  /** The start of the process with this pid; "" when it exists but the system does not tell, null when it does not exist. */
  startTimeOf(pid: number): string | null
}

/** `proc`: the path of procfs, which not every system has. */
export function nodeMachine(proc = "/proc"): Machine {
  const scope = scopeOf(proc)
  const startTimeOf = (pid: number): string | null => (isThere(pid) ? startOf(proc, pid, scope) : null)
  return { pid: process.pid, host: hostname(), startTime: startTimeOf(process.pid) ?? "", startTimeOf }
}

/**
 * The part of a start time that two processes share when they can see each other's pids: boot and pid namespace. Containers on
 * one machine may share a host name without seeing each other's processes.
 */
export function scopeOfStart(startTime: string): string {
  return startTime.slice(0, startTime.lastIndexOf("/") + 1)
}

function scopeOf(proc: string): string {
  const boot = tryRead(() => readFileSync(`${proc}/sys/kernel/random/boot_id`, "latin1").slice(0, 13))
  const space = tryRead(() => readlinkSync(`${proc}/self/ns/pid`).replace(/\D/g, ""))
  return boot === null || space === null ? "" : `${boot}/${space}/`
}

/**
 * In clock ticks since boot: field 22 of /proc/PID/stat, counted after the name, which may contain blanks. A zombie counts as
 * gone: it writes nothing any more, and its parent may never reap it.
 */
function startOf(proc: string, pid: number, scope: string): string | null {
  const stat = tryRead(() => readFileSync(`${proc}/${pid}/stat`, "latin1"))
  if (stat === null || scope === "") return ""
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields[0] === "Z" ? null : `${scope}${fields[19] ?? ""}`
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Null on failure; then only the pid is compared. */
function tryRead(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}
