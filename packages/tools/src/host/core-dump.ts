import { readFileSync, writeFileSync } from "node:fs"

const filterOf = (pid: number | "self") => `/proc/${pid}/coredump_filter`

/** What a core file held before; null: it still does, or there is no such setting. */
let usual: string | null = null

/**
 * From here on a core file of this process holds none of its memory, where keys and conversations are: it would lie in the
 * working directory. Nothing happens where there is no `/proc`.
 */
export function withholdMemory(): void {
  try {
    const before = readFileSync(filterOf("self"), "latin1").trim()
    writeFileSync(filterOf("self"), "0")
    usual = `0x${before}`
  } catch {
    return
  }
}

/** A child inherits that; those of the user's commands shall leave core files that can be looked into. */
export function giveMemoryBack(pid: number): void {
  if (usual === null) return
  try {
    writeFileSync(filterOf(pid), usual)
  } catch {
    // It has ended already.
  }
}
