import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Worker } from "node:worker_threads"
import { readKept } from "./memory.ts"
import { newThread } from "./new-thread.ts"

/** A thread that was begun before anything was known of the session; it is empty until it is given a list. */
export interface EarlyThread {
  /** Once; null: it was taken, or it has ended. */
  take(): Worker | null
  /** Nobody wants it: the next start here begins none. */
  end(): void
}

/** What the launcher knows. */
export interface Launch {
  /** `GONG_HOME`, or what stands for it. */
  readonly home: string
  /** The arguments of the program. */
  readonly args: readonly string[]
  readonly cwd: string
}

/** Folders whose extensions are remembered to act early; the oldest go first. */
const maxFolders = 100

/**
 * Begins a thread where extensions acted before the first request the last time in this folder: it takes as long to begin as
 * all of the rest. Null: they did not, or this is no message to be answered once. Throws where a thread cannot be begun.
 */
export function earlyThread({ home, args, cwd }: Launch): EarlyThread | null {
  if (!args.some(isOnce) || !foldersIn(home).includes(cwd)) return null
  const worker = newThread()
  let free = true
  const gone = (): void => void (free = false)
  worker.on("error", gone)
  worker.on("exit", gone)
  // A program that ends before it wants its extensions does not wait for their thread.
  worker.unref()
  return {
    take() {
      if (!free) return null
      free = false
      worker.ref()
      return worker
    },
    end() {
      keepEarly(home, cwd, false)
      if (free) worker.terminate().catch(() => undefined)
      free = false
    },
  }
}

/** Whether extensions acted before the first request in this folder. What cannot be kept costs the next start some time. */
export function keepEarly(home: string, cwd: string, early: boolean): void {
  const folders = foldersIn(home)
  if (folders.includes(cwd) === early) return
  const others = folders.filter((folder) => folder !== cwd)
  try {
    const text = JSON.stringify([...others, ...(early ? [cwd] : [])].slice(-maxFolders))
    writeFileSync(earlyFile(home), text, { mode: 0o600 })
  } catch {
    return
  }
}

function foldersIn(home: string): readonly string[] {
  const kept = readKept(earlyFile(home))
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : []
}

/** The launcher looks whether it is there. */
function earlyFile(home: string): string {
  return join(home, "cache/extensions/early.json")
}

/** An answer is wanted and no conversation, for which a thread has time enough. */
function isOnce(arg: string): boolean {
  return ["-p", "--print", "--output", "--mode"].includes(arg.split("=", 1)[0] ?? "")
}
