import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"
import type { Socket } from "node:net"

/** A program that was started, by this process or by the fork server. */
export interface Started {
  /** Undefined: it could not be started. */
  readonly pid: number | undefined
  readonly stdout: Socket | null
  readonly stderr: Socket | null
  /** What it writes to descriptor 3. */
  readonly status: Readable | null
  /** Rejects when it could not be started. */
  readonly exited: Promise<Exit>
  /** It has exited, and nothing holds its stdout and stderr any more. */
  readonly closed: Promise<void>
  /** SIGKILL to it alone. */
  kill(): void
  /** This process does not wait for it. */
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
