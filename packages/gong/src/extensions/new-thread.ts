import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"

/** Megabytes of objects in the thread; what it would need above that ends it. */
export const maxHeap = 512

/** A thread for extensions. It has an empty environment, and knows and loads nothing, until its first message comes. */
export function newThread(): Worker {
  return new Worker(ownFile(), {
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    name: "extensions",
    resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
}

/** Beside this file in the sources, beside the bundle otherwise. */
function ownFile(): URL {
  const source = new URL("./worker/main.ts", import.meta.url)
  return existsSync(source) ? source : new URL("./extensions.cjs", import.meta.url)
}
