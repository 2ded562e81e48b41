import { readdirSync, readFileSync } from "node:fs"

/**
 * Samples the proportional set size of a process tree until it is stopped; then its peak in bytes. Linux only: else 0.
 * Sampling a large process delays it by a millisecond or more: sample often in a short run, seldom in a long one.
 */
export function peakMemory(pid: number, everyMs: number): { stop(): number } {
  let peak = 0
  const sample = () => {
    peak = Math.max(
      peak,
      treeOf(pid).reduce((sum, one) => sum + pssOf(one), 0),
    )
  }
  const timer = setInterval(sample, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

/** A process and its descendants. */
export function treeOf(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(treeOf)]
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

export function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
}

/** A process may end between two samples; then it has no memory. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}
