import { readFileSync, writeFileSync } from "node:fs"

const filter = "/proc/self/coredump_filter"

/** What a core file held before; null: it still does, or there is no such setting. */
let usual: string | null = null

/**
 * From here on a core file of this process holds none of its memory, where keys and conversations are: it would lie in the
 * working directory. Nothing happens where there is no `/proc`.
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
 * Starts a child that inherits what was there before: core files of the user's commands can be looked into. Written for the
 * child afterwards it would come too late for a quick one.
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
