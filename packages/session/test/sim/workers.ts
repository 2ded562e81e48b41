import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Share } from "./share.ts"

export interface Work {
  readonly from: number
  readonly count: number
  readonly workers: number
  /** Further words for each of them. */
  readonly more: readonly string[]
}

/** The worlds in several processes, each every so many-th seed. Rejects when one of them ends without a word. */
export function runWorkers({ from, count, workers, more }: Work): Promise<readonly Share[]> {
  const words = (index: number): readonly string[] => [
    `--from=${from + index}`,
    `--count=${count - index}`,
    `--step=${workers}`,
    ...more,
  ]
  return Promise.all(Array.from({ length: Math.min(workers, count) }, (_, index) => shareOf(words(index))))
}

function shareOf(words: readonly string[]): Promise<Share> {
  const { promise, resolve, reject } = Promise.withResolvers<Share>()
  const child = fork(fileURLToPath(new URL("main.ts", import.meta.url)), words)
  child.once("message", (share) => resolve(share as Share))
  child.once("exit", (code) => reject(new Error(`A worker ended with status ${code}.`)))
  return promise
}
