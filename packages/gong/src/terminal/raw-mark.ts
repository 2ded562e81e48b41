import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { lineModes } from "./modes.ts"

/** Remembers that a terminal is in raw mode, so that the next start on it repairs what a killed process has left. */
export interface RawMark {
  set(): void
  remove(): void
}

/** `folder`: for the marks of all terminals. Without /proc, or where the folder cannot be written, nothing is remembered. */
export function rawMark(folder: string): RawMark {
  const file = fileOf(folder)
  return {
    set: () => quietly(() => mark(folder, file)),
    remove: () => quietly(() => file !== null && rmSync(file, { force: true })),
  }
}

/** Leaves the raw mode if the process that left this terminal in raw mode is gone. True: it was repaired. */
export function repairTerminal(folder: string): boolean {
  const file = fileOf(folder)
  try {
    if (file === null || existsSync(`/proc/${readFileSync(file, "utf8")}`)) return false
  } catch {
    return false
  }
  spawnSync("stty", lineModes, { stdio: ["inherit", "ignore", "ignore"], timeout: 1_000 })
  quietly(() => rmSync(file, { force: true }))
  return true
}

/** Named by the device: `pts-3`. */
function fileOf(folder: string): string | null {
  try {
    return join(
      folder,
      readlinkSync("/proc/self/fd/0")
        .replace(/^\/dev\//, "")
        .replaceAll("/", "-"),
    )
  } catch {
    return null
  }
}

function mark(folder: string, file: string | null): void {
  if (file === null) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, readlinkSync("/proc/self"))
}

function quietly(work: () => unknown): void {
  try {
    work()
  } catch {
    // The terminal works without the mark.
  }
}
