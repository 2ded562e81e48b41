import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"

/** Maximum heap of the thread in megabytes; exceeding it ends the thread. */
export const maxHeap = 512
/** Megabytes of its young generation. Node's default keeps up to 48 MB of garbage for each set of extensions. */
const youngHeap = 8

/** Starts a thread for extensions, with an empty environment. It loads nothing until its first message. */
export function newThread(): Worker {
  return new Worker(ownFile(), {
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    name: "extensions",
    resourceLimits: { maxOldGenerationSizeMb: maxHeap, maxYoungGenerationSizeMb: youngHeap },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
}

/** Beside this file in the sources, otherwise beside the bundle. */
function ownFile(): URL {
  const source = new URL("../worker/main.ts", import.meta.url)
  return existsSync(source) ? source : new URL("./extensions.cjs", import.meta.url)
}
