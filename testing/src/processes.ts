import type { ChildProcess } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/**
 * The only way to a signal in tests. A number that a command printed is not enough to kill by: in a PID namespace it names
 * somebody else's process outside, and the number of a process that has ended may be in use again.
 */

/** Ends this process, as `kill -9` does. */
export function killSelf(): void {
  process.kill(process.pid, "SIGKILL")
}

/**
 * Sends a signal to a process that descends from this one. False when there is no process of that number any more. Throws
 * when it is not a descendant. Needs /proc.
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

/** `sleep` with a duration that no other process has, so that it is found wherever it went: orphans are no descendants. */
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

/** Whether a process lives; a zombie does not. Its number must come from this process's own PID namespace. */
export function alive(pid: number): boolean {
  return statOf(pid)?.zombie === false
}

/** All processes of the machine with their command lines; that of a zombie is empty. */
function processes(): readonly { readonly pid: number; readonly words: readonly string[] }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), words: wordsOf(name) }))
}

interface Stat {
  readonly pid: number
  readonly parent: number
  /** Clock ticks since the machine started: tells two processes of one number apart. */
  readonly start: number
  readonly zombie: boolean
}

/** Null when there is no such process. */
function statOf(pid: number): Stat | null {
  const text = textOf(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name in parentheses may hold anything.
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

/** Looks again right before: between the two the process may have ended and its number gone to another. */
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

/** Null when the process has just ended. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}
