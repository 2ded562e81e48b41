import type { ChildProcess } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { withInheritedCoreFilter } from "../processes/core-dump.ts"
import type { Started } from "../processes/started.ts"
import { acceptStreams } from "./accept-streams.ts"
import type { ServerStart, SpawnReply, SpawnRequest, Stream } from "./messages.ts"
import { type RemoteStart, remoteStart } from "./remote-start.ts"

export type SpawnOrder = Omit<SpawnRequest, "id">

/** A small process that starts commands for this large one: forking it takes a fraction of the time. */
export interface ForkServer {
  /** Rejects if the program could not be started (`ENOENT`, `EACCES`, ...), or if the server died. */
  start(order: SpawnOrder): Promise<Started>
}

/** Started at the first call, and again after it died, which kills the commands that it started. Linux only. */
export function createForkServer(): ForkServer {
  let begun: Promise<ForkServer> | null = null
  const gone = (): void => void (begun = null)
  return {
    async start(order) {
      begun ??= begin(gone).catch((error: unknown) => {
        gone()
        throw error
      })
      return (await begun).start(order)
    },
  }
}

async function begin(gone: () => void): Promise<ForkServer> {
  const starts = new Map<number, RemoteStart>()
  const { randomUUID } = process.getBuiltinModule("node:crypto")
  // An abstract socket, of which nothing remains when this process dies.
  const place: ServerStart = { socket: `\0gong-${randomUUID()}`, token: randomUUID() }
  const server = acceptStreams(place.token, (id, stream, socket) => {
    const start = starts.get(id)
    if (start === undefined) socket.destroy()
    else start.connected(stream, socket)
  })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(place.socket, resolve))
  const child = withInheritedCoreFilter(forked)
  const over = (id: number): void => {
    starts.delete(id)
    if (starts.size === 0) child.channel?.unref()
  }
  child.on("message", (reply: SpawnReply) => heard(starts, reply, over))
  const lost = (): void => {
    gone()
    server.close()
    for (const start of starts.values()) start.lost(serverDied())
    starts.clear()
  }
  child.once("exit", lost)
  child.once("error", lost)
  child.send(place)
  // Only running commands keep this process alive.
  server.unref()
  child.unref()
  child.channel?.unref()
  return { start: (order) => started(child, starts, order) }
}

let ids = 0

function started(child: ChildProcess, starts: Map<number, RemoteStart>, order: SpawnOrder): Promise<Started> {
  const id = ids++
  const streams: readonly Stream[] = order.status ? ["stdout", "stderr", "status"] : ["stdout", "stderr"]
  const start = remoteStart(streams)
  starts.set(id, start)
  child.channel?.ref()
  child.send({ id, ...order } satisfies SpawnRequest, (error) => {
    if (error !== null) start.lost(error)
  })
  return start.started
}

function heard(starts: Map<number, RemoteStart>, reply: SpawnReply, over: (id: number) => void): void {
  const { id } = reply
  const start = starts.get(id)
  if (start === undefined) return
  if ("pid" in reply) return start.runs(reply.pid)
  if ("error" in reply) start.failed(Object.assign(new Error(reply.error), { code: reply.code }))
  else start.exited({ code: reply.exit[0], signal: reply.exit[1] })
  // A short program may exit before its streams have arrived.
  start.started.then(
    () => over(id),
    () => over(id),
  )
}

/** In a session of its own, so that Ctrl+C at the terminal reaches Gong only. */
function forked(): ChildProcess {
  const { fork } = process.getBuiltinModule("node:child_process")
  return fork(ownFile(), [], {
    cwd: "/",
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    detached: true,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
}

/** Megabytes; it buffers no output. */
const MAX_HEAP_MB = 64

function ownFile(): string {
  const source = new URL("./main.ts", import.meta.url)
  return fileURLToPath(existsSync(source) ? source : new URL("./fork-server.cjs", import.meta.url))
}

function serverDied(): Error {
  return Object.assign(new Error("the process that starts commands has died; the next command starts it again"), {
    code: "ECHILD",
  })
}
