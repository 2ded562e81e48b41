import { readFileSync, statSync } from "node:fs"

/**
 * Whether a running sandbox of any process has locked this folder. False if the system does not report it. The kernel
 * takes milliseconds to answer.
 */
export function isLocked(folder: string): boolean {
  try {
    const { ino } = statSync(folder, { bigint: true })
    // `1: POSIX  ADVISORY  READ 658 fe:00:2163241 0 EOF`
    const lines = readFileSync("/proc/locks", "utf8").split("\n")
    return lines.some((line) => {
      const [, pid, inode] = /^\d+: POSIX +ADVISORY +READ +(\d+) \S+:(\d+) /.exec(line) ?? []
      return inode === String(ino) && pid !== undefined && isRunning(pid)
    })
  } catch {
    return false
  }
}

/** The first process of a sandbox outlives it for a moment, with another parent. */
function isRunning(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const parent = stat.slice(stat.lastIndexOf(")")).split(" ")[2] ?? ""
    return readFileSync(`/proc/${parent}/comm`, "utf8") === "bwrap\n"
  } catch {
    return false
  }
}
