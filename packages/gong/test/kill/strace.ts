import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** Why nothing can be injected into system calls here; false when it can. */
export function straceMissing(): string | false {
  const [command = "", ...args] = under({ log: "/dev/null", inject: ["write:error=EIO:when=65535"] })
  const tried = spawnSync(command, [...args, "true"], { encoding: "utf8" })
  if (tried.error !== undefined) return "there is no strace(1) here (Debian: apt-get install strace)"
  return tried.status === 0 ? false : `strace(1) may not inject here: ${tried.stderr.trim().split("\n")[0]}`
}

/** System calls that change the disk or write output: between two of them nothing changes. */
export const effects = [
  "write",
  "pwrite64",
  "writev",
  "rename",
  "renameat",
  "renameat2",
  "link",
  "linkat",
  "unlink",
  "unlinkat",
  "mkdir",
  "mkdirat",
  "rmdir",
  "fsync",
  "fdatasync",
  "ftruncate",
] as const

export interface Tracing {
  /** The output file of strace. */
  readonly log: string
  /** As after `-e inject=`. */
  readonly inject?: readonly string[]
  /** Only calls on this path. */
  readonly path?: string
}

/**
 * The command prefix of a program. Only its main thread is traced, which makes all its calls on the tape and on
 * the user's files, so a call has the same number in every run.
 */
export function under({ log, inject = [], path }: Tracing): readonly string[] {
  const traced = ["-e", `trace=${[...effects, "openat"].join(",")}`]
  const filter = path === undefined ? [] : ["-P", path]
  return [
    "strace",
    "-qq",
    "-y",
    "-s0",
    "-o",
    log,
    ...filter,
    ...traced,
    ...inject.flatMap((one) => ["-e", `inject=${one}`]),
  ]
}

/** A call that a run made. */
export interface Call {
  readonly name: string
  /** 1 for the first call of this name. */
  readonly number: number
  /** Its arguments, as strace shows them: paths, and those of open files. */
  readonly on: string
}

export function callsIn(log: string): readonly Call[] {
  const counts = new Map<string, number>()
  const calls: Call[] = []
  for (const line of readFileSync(log, "latin1").split("\n")) {
    const name = /^(\w+)\(/.exec(line)?.[1]
    if (name === undefined) continue
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    // Beside each path strace shows the working directory.
    calls.push({ name, number, on: line.slice(name.length).replaceAll(/AT_FDCWD<[^>]*>/g, "") })
  }
  return calls
}
