import type { Host, JobInfo, Jobs } from "@gong/spec"
import { titleOf } from "../../tool.ts"
import type { Command } from "../command.ts"

/** Background commands by number, and the hosts on which commands ran. */
export interface JobTable extends Jobs {
  /** Includes ended jobs whose exit was not reported yet. */
  all(): readonly JobInfo[]
  get(number: number): Command | undefined
  /** The job number; null if the maximum number of jobs is running. */
  add(command: Command): number | null
  forget(number: number): void
  uses(host: Host): void
  /** A call waits for a command; `background` moves it and returns the number. Returns a function that ends this. */
  foreground(background: () => number | null): () => void
}

export const RUNNING_MAX = 10
/** Includes ended jobs that were not read yet. Each holds its last output. */
const KEPT_MAX = 20

export function createJobs(): JobTable {
  const table = new Map<number, Command>()
  const hosts = new Set<Host>()
  const waited = new Set<() => number | null>()
  let count = 0
  const runs = ([, command]: [number, Command]) => command.exit() === null
  const running = () => [...table].filter(runs).map(infoOf)

  return {
    running,
    all: () => [...table].map(infoOf),
    get: (number) => table.get(number),
    add(command) {
      if (running().length >= RUNNING_MAX) return null
      table.set(++count, command)
      dropOldest(table)
      return count
    },
    output: (number) => table.get(number)?.output.newest() ?? null,
    async stop(number) {
      const command = table.get(number)
      if (command === undefined || command.exit() !== null) return false
      command.stop({ how: "stop" })
      await Promise.allSettled([command.ended])
      return true
    },
    background() {
      const numbers = [...waited].map((background) => background())
      return running().filter(({ number }) => numbers.includes(number))
    },
    foreground(background) {
      waited.add(background)
      return () => void waited.delete(background)
    },
    forget: (number) => void table.delete(number),
    uses: (host) => void hosts.add(host),
    async end({ keep = false } = {}) {
      const there = [...table].filter(runs)
      const commands = there.map(([, command]) => command)
      if (!keep) for (const command of commands) command.stop({ how: "stop" })
      if (!keep) await Promise.allSettled(commands.map(({ ended }) => ended))
      const names = keep ? commands.map(({ name }) => name) : []
      await Promise.all([...hosts].map((host) => host.endJobs(names)))
      await Promise.all([...table.values()].map(({ output }) => output.end()))
      table.clear()
      hosts.clear()
      return there.map(infoOf)
    },
  }
}

/** The output of a dropped job remains in its file. */
function dropOldest(table: Map<number, Command>): void {
  if (table.size <= KEPT_MAX) return
  for (const [number, command] of table) {
    if (command.exit() === null) continue
    table.delete(number)
    command.output.end().catch(() => {})
    return
  }
}

function infoOf([number, { text }]: [number, Command]): JobInfo {
  return { number, title: titleOf(text) }
}
