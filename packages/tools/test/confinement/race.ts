import { once } from "node:events"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Host } from "@gong/spec"
import { context } from "../workspace.ts"
import { changers, type Fenced } from "./place.ts"
import type { SwapperData } from "./swapper.ts"

/** The outcome of a race. */
export interface Race {
  readonly rounds: number
  /** How often a folder or file was a link to outside. */
  readonly swaps: number
  /** Calls that changed something inside, and calls that were refused or found nothing. */
  readonly done: number
  readonly refused: number
  /** Rounds after which something outside had changed. */
  readonly escaped: number
}

/**
 * Writes and edits `d/file.txt`, and writes a new file below `d`, while another thread replaces `d` by a link to
 * outside.
 */
export async function race(here: Fenced, rounds: readonly number[], host: Host): Promise<Race> {
  const stop = new SharedArrayBuffer(4)
  const workerData: SwapperData = { work: here.work, outside: here.outside, stop }
  mkdirSync(join(here.work, "d"))
  const swapper = new Worker(new URL("swapper.ts", import.meta.url), { workerData })
  await once(swapper, "message")
  const before = here.look()
  const counts = { done: 0, refused: 0, escaped: 0 }
  const [write, edit] = changers(here.work, [here.work], host)
  if (!write || !edit) throw new Error("there are no tools")
  for (const round of rounds) {
    const { tool, args } = round % 3 === 1 ? edit : write
    const path = round % 3 === 2 ? `d/new-${round % 10}/file.txt` : "d/file.txt"
    const result = await tool.execute(`c${round}`, args(path) as never, context())
    counts[result.isError ? "refused" : "done"] += 1
    if (here.look() !== before) {
      counts.escaped += 1
      restore(here)
    }
  }
  Atomics.store(new Int32Array(stop), 0, 1)
  const [swaps] = (await once(swapper, "message")) as [number]
  await swapper.terminate()
  return { rounds: rounds.length, swaps, ...counts }
}

function restore({ outside }: Fenced): void {
  rmSync(outside, { recursive: true, force: true })
  mkdirSync(outside)
  writeFileSync(join(outside, "file.txt"), "one\n")
}
