import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Worker } from "node:worker_threads"
import { readKept } from "./memory.ts"
import { newThread } from "./new-thread.ts"

/** A worker started before the session is known; idle until it receives a list of extensions. */
export interface PrewarmedWorker {
  /** Can be taken once; null if it was taken or has exited. */
  take(): Worker | null
  /** Not needed: the next start in this folder creates none. */
  end(): void
}

/** Facts known to the launcher. */
export interface Launch {
  /** `GONG_HOME` or its default. */
  readonly home: string
  /** The arguments of the program. */
  readonly args: readonly string[]
  readonly cwd: string
}

/** Folders whose extensions are remembered as early; the oldest are dropped first. */
const maxFolders = 100

/**
 * Starts a worker if the extensions of this folder acted before the first request last time, since starting takes as
 * long as everything else. Null if they did not, or if no single answer is requested. Throws if a thread cannot be
 * started.
 */
export function prewarmWorker({ home, args, cwd }: Launch): PrewarmedWorker | null {
  if (!args.some(isOnce) || !foldersIn(home).includes(cwd)) return null
  const worker = newThread()
  let free = true
  const gone = (): void => void (free = false)
  worker.on("error", gone)
  worker.on("exit", gone)
  // A program that exits before it needs its extensions does not wait for their thread.
  worker.unref()
  return {
    take() {
      if (!free) return null
      free = false
      worker.ref()
      return worker
    },
    end() {
      rememberEarlyFolder(home, cwd, false)
      if (free) worker.terminate().catch(() => undefined)
      free = false
    },
  }
}

/**
 * Remembers whether extensions acted before the first request in this folder. A write error only slows the next start
 * down.
 */
export function rememberEarlyFolder(home: string, cwd: string, early: boolean): void {
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

/** The launcher checks whether this file exists. */
function earlyFile(home: string): string {
  return join(home, "cache/extensions/early.json")
}

/** A single answer is requested; a conversation has enough time to start a thread. */
function isOnce(arg: string): boolean {
  return ["-p", "--print", "--output", "--mode"].includes(arg.split("=", 1)[0] ?? "")
}
