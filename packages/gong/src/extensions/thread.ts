import { existsSync } from "node:fs"

import { Worker } from "node:worker_threads"
import type { Clock } from "@gong/spec"
import type { Frame } from "./where.ts"
import type { FromWorker, ToWorker, WorkerBegin } from "./protocol.ts"

/** A worker thread as its host sees it. */
export interface Thread {
  post(message: ToWorker): void
  /** What it executes now, for one that hangs: files and lines, the innermost first. Takes 2 s at most. */
  where(): Promise<readonly Frame[]>
  end(): void
}

export interface ThreadListener {
  message(message: FromWorker): void
  /** It has ended without having been told to; `reason` is half a sentence. */
  gone(reason: string): void
}

export type OpenThread = (begin: WorkerBegin, listener: ThreadListener) => Thread

export interface ThreadPlace {
  readonly clock: Clock
  /** Its environment. */
  env(): Readonly<Record<string, string>>
}

/** Megabytes of objects in the thread; what it would need above that ends it. */
const maxHeap = 512

export function threadOpener({ clock, env }: ThreadPlace): OpenThread {
  return (begin, { message, gone }) => {
    const worker = new Worker(ownFile(), {
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      name: "extensions",
      resourceLimits: { maxOldGenerationSizeMb: maxHeap },
      execArgv: ["--disable-warning=ExperimentalWarning"],
    })
    let reason = "it called process.exit()"
    let ended = false
    // What Node itself prints about the thread; what extensions print comes as messages.
    for (const stream of [worker.stdout, worker.stderr]) stream.resume()
    worker.on("message", message)
    worker.on("error", (error) => (reason = reasonOf(error)))
    worker.on("exit", () => ended || gone(reason))
    const post = (text: ToWorker): void => worker.postMessage(text)
    post({ kind: "begin", begin, env: env() })
    return {
      post,
      // Loaded for a thread that hangs, and for no other.
      where: async () => (await import("./where.ts")).whereIs(worker.threadId, clock),
      end() {
        ended = true
        worker.removeAllListeners("message")
        // It may sit in a call of the system; nobody waits for that.
        worker.terminate().catch(() => undefined)
      },
    }
  }
}

/** Beside this file in the sources, beside the bundle otherwise. */
function ownFile(): URL {
  const source = new URL("./worker/main.ts", import.meta.url)
  return existsSync(source) ? source : new URL("./extensions.cjs", import.meta.url)
}

function reasonOf(error: Error): string {
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? `it needed more than ${maxHeap} MB of memory`
    : error.message.split("\n", 1).join("")
}
