import { spawnSync } from "node:child_process"

const nobody = 65_534

/** Options that start a child process as an ordinary user; empty if this process runs as one. */
export const ordinaryUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/**
 * Why no ordinary user can run a program of this checkout: its folder is accessible to root only, or root cannot start a
 * program as another user. False if one can.
 */
export const noOrdinaryUser: string | false = canRun()
  ? false
  : "an ordinary user cannot run a program of this checkout"

/** Drops root privileges of this process for good. */
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
