import type { ChildProcess, StdioOptions } from "node:child_process"
import { closeSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { openUnnamed } from "../processes/unnamed-file.ts"
import { headerOf, type ServerStart, type SpawnReply, type SpawnRequest, type Stream } from "./messages.ts"

// The process that starts the commands of a process with many sessions. It is small, so that forking it is fast, and
// its waits block no session. Output goes through sockets directly to Gong. It exits with Gong.

const { spawn } = process.getBuiltinModule("node:child_process")
let place: ServerStart | null = null

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))
process.on("message", (message: ServerStart | SpawnRequest) => {
  if ("token" in message) place = message
  else if (place !== null) start(place, message).catch((error: unknown) => failed(message.id, error))
})

async function start(at: ServerStart, request: SpawnRequest): Promise<void> {
  const { id, input } = request
  const streams: readonly Stream[] = request.status ? ["stdout", "stderr", "status"] : ["stdout", "stderr"]
  const sockets = await Promise.all(streams.map((stream) => dial(at, id, stream)))
  try {
    const child = spawnOn(request, sockets)
    child.on("error", (error) => failed(id, error))
    child.on("spawn", () => child.pid !== undefined && tell({ id, pid: child.pid }))
    child.on("exit", (code, signal) => tell({ id, exit: [code, signal] }))
    // A program may exit before it has read all input.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
  } finally {
    // The child has its own copies, which stay open.
    for (const socket of sockets) socket.destroy()
  }
}

function dial({ socket: path, token }: ServerStart, id: number, stream: Stream): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect(path)
  socket.once("error", reject)
  socket.once("connect", () => socket.write(headerOf(token, id, stream), () => resolve(socket)))
  return promise
}

function spawnOn({ program, args, cwd, env, input, inputs }: SpawnRequest, sockets: readonly Socket[]): ChildProcess {
  const [stdout, stderr, status = "ignore"] = sockets
  const files: number[] = []
  try {
    for (const bytes of inputs) files.push(openUnnamed(bytes))
    const stdio = [input === null ? "ignore" : "pipe", stdout, stderr, status, ...files] as StdioOptions
    return spawn(program, args, { cwd, env, detached: true, windowsHide: true, stdio })
  } finally {
    for (const file of files) closeSync(file)
  }
}

function failed(id: number, error: unknown): void {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null
  tell({ id, error: error instanceof Error ? error.message : String(error), code })
}

function tell(reply: SpawnReply): void {
  process.send?.(reply)
}
