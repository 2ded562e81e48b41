import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"
import type { Socket } from "node:net"

/** A program started by this process or by the fork server. */
export interface Started {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined
  readonly stdout: Socket | null
  readonly stderr: Socket | null
  /** Its output on descriptor 3. */
  readonly status: Readable | null
  /** Rejects if it could not be started. */
  readonly exited: Promise<Exit>
  /** It has exited, and no process holds its stdout and stderr any more. */
  readonly closed: Promise<void>
  /** SIGKILL to this process only. */
  kill(): void
  /** It no longer keeps this process alive. */
  unref(): void
}

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

export const statusFd = 3

/** A child of this process. */
export function startedHere(child: ChildProcess): Started {
  const exited = Promise.withResolvers<Exit>()
  const closed = Promise.withResolvers<void>()
  child.on("error", (error) => child.pid === undefined && exited.reject(error))
  child.on("exit", (code, signal) => exited.resolve({ code, signal }))
  child.once("close", () => closed.resolve())
  return {
    pid: child.pid,
    stdout: child.stdout as Socket | null,
    stderr: child.stderr as Socket | null,
    status: (child.stdio[statusFd] as Socket | null | undefined) ?? null,
    exited: exited.promise,
    closed: closed.promise,
    kill: () => void child.kill("SIGKILL"),
    unref: () => child.unref(),
  }
}
