import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import type { Answer, Request } from "./protocol.ts"

/** The thread, as its client uses it. */
export interface Thread {
  post(request: Request): void
  /** A counter that grows while the thread works. */
  progress(): number
  /** Whether the thread keeps the process alive. */
  hold(held: boolean): void
  end(): void
}

export interface ThreadListener {
  answered(answer: Answer): void
  /** The thread exited unexpectedly; `reason` is a sentence fragment. */
  gone(reason: string): void
}

export type OpenThread = (listener: ThreadListener) => Thread

/** Heap limit of the thread in megabytes; it exits if it needs more. */
const maxHeap = 512

export const openWorker: OpenThread = ({ answered, gone }) => {
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(ownFile(), {
    name: "sessions",
    workerData: progress.buffer,
    resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
  let reason = "it exited"
  worker.on("message", answered)
  worker.on("error", (error) => (reason = error.message.split("\n", 1).join("")))
  worker.on("exit", () => gone(reason))
  worker.unref()
  return {
    post: (request) => worker.postMessage(request),
    progress: () => Atomics.load(progress, 0),
    hold: (held) => (held ? worker.ref() : worker.unref()),
    end() {
      worker.removeAllListeners()
      // It may be blocked in a system call; nothing waits for that.
      worker.on("error", () => undefined)
      worker.terminate().catch(() => undefined)
    },
  }
}

/** Beside this file in the sources, beside the bundle otherwise. */
function ownFile(): URL {
  const source = new URL("./main.ts", import.meta.url)
  return existsSync(source) ? source : new URL("./sessions.cjs", import.meta.url)
}
