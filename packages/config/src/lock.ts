import { phrase } from "@gong/spec"
import { openSync, closeSync, rmSync, statSync } from "node:fs"
import { withPath } from "./home.ts"
import { codeOf, ok, type Outcome, usage } from "./usage.ts"

/** Age in milliseconds after which a lock is stale: no write takes that long. */
const staleAfter = 10_000
/** Delay between attempts in milliseconds, and their number. */
const pause = 5
const maxTries = 1000

/**
 * Runs a read-modify-write of a file, exclusive among all processes. The work must be synchronous; blocks for at most 5 s. The
 * folder must exist. Throws like Node if it is not writable.
 */
export function locked<T>(path: string, work: () => T, tries = maxTries): Outcome<T> {
  const lock = `${path}.lock`
  for (let tried = 0; tried < tries; tried++) {
    if (!isHeld(lock, path)) {
      try {
        return ok(work())
      } finally {
        rmSync(lock, { force: true })
      }
    }
    if (tried % 100 === 0) removeStale(lock)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  return usage(phrase`${path} is locked by another gong. If none is running, remove ${lock}`)
}

/** True if another process holds it. */
function isHeld(lock: string, path: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600))
    return false
  } catch (error) {
    if (codeOf(error) === "EEXIST") return true
    throw withPath(error, path)
  }
}

/** The mtime of a new file is the time of the lock's file system, which may differ from this machine's clock. */
function removeStale(lock: string): void {
  const probe = `${lock}.${process.pid}`
  try {
    closeSync(openSync(probe, "w", 0o600))
    const age = statSync(probe).mtimeMs - statSync(lock).mtimeMs
    if (age > staleAfter) rmSync(lock, { force: true })
  } catch (error) {
    // It was released meanwhile.
    if (codeOf(error) !== "ENOENT") throw error
  } finally {
    rmSync(probe, { force: true })
  }
}
