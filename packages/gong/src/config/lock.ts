import { phrase } from "@gong/spec"
import { openSync, closeSync, rmSync, statSync } from "node:fs"
import { ofFile } from "./home.ts"
import { codeOf, ok, type Outcome, usage } from "./usage.ts"

/** Milliseconds after which a lock is that of a process that died: nobody holds one for longer than a write takes. */
const staleAfter = 10_000
/** Milliseconds between two tries, and how many there are. */
const pause = 5
const maxTries = 1000

/**
 * Runs what reads a file and writes it again, alone among all processes. The work may not wait for anything; this blocks
 * for 5 s at most. The folder must be there. Throws like Node when it cannot be written to.
 */
export function locked<T>(path: string, work: () => T, tries = maxTries): Outcome<T> {
  const lock = `${path}.lock`
  for (let tried = 0; tried < tries; tried++) {
    if (!taken(lock, path)) {
      try {
        return ok(work())
      } finally {
        rmSync(lock, { force: true })
      }
    }
    if (tried % 100 === 0) removeStale(lock)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  return usage(phrase`${path} is being changed by another gong, which does not end. If there is none, remove ${lock}`)
}

/** True when somebody else has it. */
function taken(lock: string, path: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600))
    return false
  } catch (error) {
    if (codeOf(error) === "EEXIST") return true
    throw ofFile(error, path)
  }
}

/** A file made now says what time it is where the lock lies, whatever this machine's clock says. */
function removeStale(lock: string): void {
  const probe = `${lock}.${process.pid}`
  try {
    closeSync(openSync(probe, "w", 0o600))
    const age = statSync(probe).mtimeMs - statSync(lock).mtimeMs
    if (age > staleAfter) rmSync(lock, { force: true })
  } catch (error) {
    // It was given back meanwhile.
    if (codeOf(error) !== "ENOENT") throw error
  } finally {
    rmSync(probe, { force: true })
  }
}
