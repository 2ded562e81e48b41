import { readFileSync, writeFileSync } from "node:fs"

const filter = "/proc/self/coredump_filter"

/** The previous core filter; null if it was not changed or does not exist. */
let usual: string | null = null

/**
 * Excludes memory from core dumps of this process, because it contains keys and conversations and the dump would be
 * written to the working directory. Does nothing without `/proc`.
 */
export function excludeMemoryFromCoreDumps(): void {
  try {
    const before = readFileSync(filter, "latin1").trim()
    writeFileSync(filter, "0")
    usual = `0x${before}`
  } catch {
    return
  }
}

/**
 * Starts a child with the previous core filter, so that core dumps of the user's commands stay useful. Setting it after
 * the start would be too late for a short process.
 */
export function withInheritedCoreFilter<T>(start: () => T): T {
  if (usual === null) return start()
  writeFileSync(filter, usual)
  try {
    return start()
  } finally {
    writeFileSync(filter, "0")
  }
}
