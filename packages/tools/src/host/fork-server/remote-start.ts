import type { Socket } from "node:net"
import type { Exit, Started } from "../processes/started.ts"
import type { Stream } from "./messages.ts"

/** A program started by the fork server, from request to exit. */
export interface RemoteStart {
  /** Resolves when it runs and all its streams have arrived. */
  readonly started: Promise<Started>
  connected(stream: Stream, socket: Socket): void
  runs(pid: number): void
  exited(exit: Exit): void
  /** It could not be started. */
  failed(error: Error): void
  /** The connection to the server was lost. */
  lost(error: Error): void
}

export function remoteStart(streams: readonly Stream[]): RemoteStart {
  const started = Promise.withResolvers<Started>()
  const exit = Promise.withResolvers<Exit>()
  const sockets = new Map<Stream, Socket>()
  const closed: Promise<unknown>[] = [exit.promise]
  let pid: number | null = null
  let isStarted = false

  const settle = (): void => {
    if (pid === null || sockets.size < streams.length) return
    const alone = pid
    isStarted = true
    started.resolve({
      pid,
      stdout: sockets.get("stdout") ?? null,
      stderr: sockets.get("stderr") ?? null,
      status: sockets.get("status") ?? null,
      exited: exit.promise,
      closed: Promise.all(closed).then(() => undefined),
      kill: () => kill(alone),
      unref: () => sockets.forEach((socket) => socket.unref()),
    })
  }
  const failed = (error: Error): void => {
    for (const socket of sockets.values()) socket.destroy()
    started.reject(error)
  }
  return {
    started: started.promise,
    connected(stream, socket) {
      sockets.set(stream, socket)
      if (stream !== "status") closed.push(new Promise((resolve) => socket.once("close", resolve)))
      settle()
    },
    runs(number) {
      pid = number
      settle()
    },
    exited: exit.resolve,
    failed,
    lost(error) {
      if (pid !== null) kill(-pid)
      exit.resolve({ code: null, signal: "SIGKILL" })
      // Output written until then is still read.
      if (!isStarted) failed(error)
    },
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Already gone.
  }
}
