import type { Worker } from "node:worker_threads"
import { type Clock, phrase, type Text } from "@gong/spec"
import type { PrewarmedWorker } from "./prewarmed-worker.ts"
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
  gone(reason: Text): void
}

export type OpenThread = (begin: WorkerBegin, listener: ThreadListener) => Thread

export interface ThreadDeps {
  readonly clock: Clock
  /** Its environment. */
  env(): Readonly<Record<string, string>>
  /** Used as the first thread, if present. */
  readonly early: PrewarmedWorker | null
}

export function threadOpener({ clock, env, early }: ThreadDeps): OpenThread {
  return (begin, { message, gone }) => {
    /** Messages sent before its first answer; null after that. */
    let sent: ToWorker[] | null = [{ kind: "begin", begin, env: env() }]
    let ended = false
    const attach = (worker: Worker, left: (reason: Text) => void): Worker => {
      let reason: Text = phrase`it called process.exit()`
      // Output of Node itself about the thread; output of extensions arrives as messages.
      for (const stream of [worker.stdout, worker.stderr]) stream.resume()
      worker.on("message", (one: FromWorker) => {
        sent = null
        message(one)
      })
      worker.on("error", (error) => (reason = reasonOf(error)))
      worker.on("exit", () => ended || left(reason))
      for (const one of sent ?? []) worker.postMessage(one)
      return worker
    }
    // A prewarmed thread may have exited before its first message.
    const again = (reason: Text): void => {
      if (sent === null) gone(reason)
      else worker = attach(newThread(), gone)
    }
    const begun = early?.take() ?? null
    let worker = begun === null ? attach(newThread(), gone) : attach(begun, again)
    return {
      post(text) {
        sent?.push(text)
        worker.postMessage(text)
      },
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
