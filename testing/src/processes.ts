import type { ChildProcess } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/**
 * The only way to send signals in tests. A pid that a command printed is not safe to kill: in a PID namespace it names another
 * process outside, and the pid of an ended process may be reused.
 */

/** Kills this process, like `kill -9`. */
export function killSelf(): void {
  process.kill(process.pid, "SIGKILL")
}

/**
 * Sends a signal to a descendant of this process. False if the process has ended. Throws if it is not a descendant. Needs
 * /proc.
 */
export function killDescendant(pid: number, signal: NodeJS.Signals = "SIGKILL"): boolean {
  const target = statOf(pid)
  if (target === null || target.zombie) return false
  if (!descends(target)) throw new Error(`Process ${pid} is no descendant of this one and gets no ${signal}.`)
  return send(target, signal)
}

/** Sends a signal to the process group of a child that was started `detached`. False when the child has ended. */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return false
  return process.kill(-pid, signal)
}

/** `sleep` with a unique duration, by which it is found anywhere: orphans are not descendants. */
export interface Sleeper {
  readonly command: string
  /** Whether at least one process runs it. */
  alive(): boolean
  kill(): void
}

let sleepers = 0

export function sleeper(): Sleeper {
  const seconds = `1000.${process.pid}${String(++sleepers).padStart(4, "0")}`
  const began = statOf(process.pid)?.start ?? Infinity
  const mine = (): readonly Stat[] =>
    processes()
      .filter(({ words }) => words.length === 2 && words[1] === seconds)
      .flatMap(({ pid }) => statOf(pid) ?? [])
      .filter(({ start, zombie }) => start >= began && !zombie)
  return {
    command: `sleep ${seconds}`,
    alive: () => mine().length > 0,
    kill: () => mine().forEach((one) => send(one, "SIGKILL")),
  }
}

/** Whether a process is alive; a zombie is not. The pid must be from this process's PID namespace. */
export function alive(pid: number): boolean {
  return statOf(pid)?.zombie === false
}

/** All processes of the machine with their command lines, empty for a zombie. */
function processes(): readonly { readonly pid: number; readonly words: readonly string[] }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), words: wordsOf(name) }))
}

interface Stat {
  readonly pid: number
  readonly parent: number
  /** Start time in clock ticks since boot: distinguishes processes with the same pid. */
  readonly start: number
  readonly zombie: boolean
}

/** Null if there is no such process. */
function statOf(pid: number): Stat | null {
  const text = textOf(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name in parentheses may contain anything.
  const [state, parent, ...fields] = text.slice(text.lastIndexOf(") ") + 2).split(" ")
  return { pid, parent: Number(parent), start: Number(fields[17]), zombie: state === "Z" || state === "X" }
}

function descends(target: Stat): boolean {
  const self = statOf(process.pid)
  for (let at: Stat | null = target; at !== null && self !== null && at.start >= self.start; at = statOf(at.parent)) {
    if (at.parent === self.pid) return true
  }
  return false
}

/** Checks again right before the signal, since the pid may have been reused. */
function send({ pid, start }: Stat, signal: NodeJS.Signals): boolean {
  if (statOf(pid)?.start !== start) return false
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false
    throw error
  }
}

function wordsOf(pid: string): readonly string[] {
  return (textOf(`/proc/${pid}/cmdline`) ?? "").split("\0").slice(0, -1)
}

/** Null if the process has just ended. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}
