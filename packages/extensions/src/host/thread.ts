import { type Clock, phrase, type Text } from "@gong/spec"
import { maxHeap, newThread } from "./new-thread.ts"
import type { Frame } from "../where.ts"
import type { FromWorker, ToWorker, WorkerBegin } from "../protocol.ts"

/** A worker thread as seen by its host. */
export interface Thread {
  post(message: ToWorker): void
  /** The running code of a hung thread: files and lines, innermost first. Takes at most 2 s. */
  where(): Promise<readonly Frame[]>
  end(): void
}

export interface ThreadListener {
  message(message: FromWorker): void
  /** It has exited without `end`; `reason`: without a full stop. */
  exited(reason: Text): void
}

export type OpenThread = (begin: WorkerBegin, listener: ThreadListener) => Thread

export interface ThreadDeps {
  readonly clock: Clock
  /** Its environment. */
  env(): Readonly<Record<string, string>>
}

export function threadOpener({ clock, env }: ThreadDeps): OpenThread {
  return (begin, { message, exited }) => {
    const worker = newThread()
    let ended = false
    let reason: Text = phrase`it called process.exit()`
    // Output of Node itself about the thread; output of extensions arrives as messages.
    for (const stream of [worker.stdout, worker.stderr]) stream.resume()
    worker.on("message", message)
    worker.on("error", (error) => (reason = reasonOf(error)))
    worker.on("exit", () => ended || exited(reason))
    const post = (text: ToWorker): void => worker.postMessage(text)
    post({ kind: "begin", begin, env: env() })
    return {
      post,
      // Loaded only for a hung thread.
      where: async () => (await import("../where.ts")).whereIs(worker.threadId, clock),
      end() {
        ended = true
        worker.removeAllListeners("message")
        // It may be blocked in a system call, so this is not awaited.
        worker.terminate().catch(() => undefined)
      },
    }
  }
}

function reasonOf(error: Error): Text {
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? phrase`it needed more than ${maxHeap} MB of memory`
    : error.message.split("\n", 1).join("")
}
