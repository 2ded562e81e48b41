import { spawnSync } from "node:child_process"

const nobody = 65_534

/** Options of a child process by which it is an ordinary user's; none where this process is. */
export const ordinaryUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/**
 * Why no ordinary user can run a program of this checkout: it lies in a folder of root's alone, or root cannot start a program
 * as another user here. False where one can.
 */
export const noOrdinaryUser: string | false = canRun()
  ? false
  : "an ordinary user cannot run a program of this checkout"

/** Makes this process an ordinary user's for good, where it is root's. */
export function becomeOrdinaryUser(): void {
  if (process.geteuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}

function canRun(): boolean {
  if (process.getuid?.() !== 0) return true
  const read = `require("node:fs").accessSync(${JSON.stringify(import.meta.filename)})`
  return spawnSync(process.execPath, ["-e", read], ordinaryUser).status === 0
}
