import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"

/** What a worker is given: the place, and a number that turns to 1 when it shall end. */
export interface SwapperData {
  readonly work: string
  readonly outside: string
  readonly stop: SharedArrayBuffer
}

/** As fast as it can: the folder `d`, then the file in it, is a link to outside and is itself again. */
function run({ work, outside, stop }: SwapperData): void {
  const folder = join(work, "d")
  const file = join(folder, "file.txt")
  const stopped = new Int32Array(stop)
  let swaps = 0
  reset(folder, file)
  parentPort?.postMessage("ready")
  while (Atomics.load(stopped, 0) === 0) {
    try {
      exchange(folder, join(work, "aside"), outside)
      exchange(file, join(work, "aside.txt"), join(outside, "file.txt"))
      swaps += 2
    } catch {
      // The tool made or replaced something in between.
      reset(folder, file)
    }
  }
  parentPort?.postMessage(swaps)
}

function exchange(path: string, aside: string, target: string): void {
  renameSync(path, aside)
  symlinkSync(target, path)
  unlinkSync(path)
  renameSync(aside, path)
}

function reset(folder: string, file: string): void {
  try {
    for (const name of ["d", "aside", "aside.txt"]) rmSync(join(folder, "..", name), { recursive: true, force: true })
    mkdirSync(folder)
    writeFileSync(file, "one\n")
  } catch {
    // The tool makes the same folder at this moment: the next round finds it.
  }
}

run(workerData as SwapperData)
