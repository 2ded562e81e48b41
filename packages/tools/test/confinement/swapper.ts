import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"

/** Worker data: the folders, and a number that becomes 1 to stop. */
export interface SwapperData {
  readonly work: string
  readonly outside: string
  readonly stop: SharedArrayBuffer
}

/** Replaces the folder `d`, then the file in it, by a link to outside and back, as fast as possible. */
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
      // The tool created or replaced something meanwhile.
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
    // The tool is creating the same folder; the next round will find it.
  }
}

run(workerData as SwapperData)
