import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import type { Answer, Request } from "./protocol.ts"

/** The thread as the one sees it that asks it. */
export interface Thread {
  post(request: Request): void
  /** Grows while it works. */
  progress(): number
  /** Whether the process stays alive for it. */
  hold(held: boolean): void
  end(): void
}

export interface ThreadListener {
  answered(answer: Answer): void
  /** It has ended without having been told to; `reason` is half a sentence. */
  gone(reason: string): void
}

export type OpenThread = (listener: ThreadListener) => Thread

/** Megabytes of objects in the thread; what would need more ends it. */
const maxHeap = 512

export const openWorker: OpenThread = ({ answered, gone }) => {
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(ownFile(), {
    name: "sessions",
    workerData: progress.buffer,
    resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
  let reason = "it left"
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
      // It may sit in a call of the system; nothing waits for that.
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
