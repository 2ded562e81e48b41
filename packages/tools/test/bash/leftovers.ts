import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { type Way, ways } from "./ways.ts"

/** The ways that this machine has the programs for, each with what is left of it. */
export interface Leaving {
  readonly way: Way
  /** For bash; ends by itself. */
  readonly command: string
  /** Whether what it leaves is there. */
  alive(): boolean
  kill(): void
}

let count = 0

/** Each call gives commands whose leftovers nobody else has. */
export function leavings(): readonly Leaving[] {
  return ways.filter(isPossible).map((way) => {
    const seconds = `1000.${process.pid}${String(++count).padStart(4, "0")}`
    const mine = () => sleepers().filter(({ words }) => words[1] === seconds)
    return {
      way,
      command: `S="sleep ${seconds}"\n${way.command}`,
      alive: () => mine().length > 0,
      kill: () => mine().forEach(({ pid }) => process.kill(pid, "SIGKILL")),
    }
  })
}

/** Asks again until it is so; false after 10 s. */
export async function eventually(isSo: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 500; turn++) {
    if (isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return isSo()
}

/** Whether a process lives; a zombie does not. */
export function alive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
  } catch {
    return false
  }
}

/** Whether a sandbox waits for a command in this folder. */
export function spareIn(folder: string): boolean {
  return processes().some(({ words }) => words.includes("gong-waits") && words.includes(folder))
}

function sleepers() {
  return processes().filter(({ words }) => words.length === 2)
}

function processes(): readonly { readonly pid: number; readonly words: readonly string[] }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), words: wordsOf(name) }))
}

/** None of a zombie, and none of what has just gone. */
function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1)
  } catch {
    return []
  }
}

function isPossible({ needs = [] }: Way): boolean {
  return needs.every((program) => {
    try {
      execFileSync("bash", ["-c", `command -v ${program}`], { stdio: "ignore" })
      return true
    } catch {
      return false
    }
  })
}
