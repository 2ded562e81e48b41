import { createServer, type Server, type Socket } from "node:net"
import { type Stream, streamNames } from "./messages.ts"

/** Milliseconds for the header of a connection: the fork server writes it at once. */
const maxHeaderWait = 5_000
const maxHeader = 200

/**
 * Takes the streams of started programs. Anything on this machine may connect to an abstract socket: only what begins with the
 * token is one of them.
 */
export function acceptStreams(token: string, accept: (id: number, stream: Stream, socket: Socket) => void): Server {
  return createServer((socket) => {
    const timer = setTimeout(() => socket.destroy(), maxHeaderWait).unref()
    socket.on("error", () => {})
    socket.once("readable", () => {
      clearTimeout(timer)
      const header = takeHeader(socket)
      const [proof, id, name] = header?.split(" ") ?? []
      const stream = streamNames.find((one) => one === name)
      if (proof !== token || stream === undefined) socket.destroy()
      else accept(Number(id), stream, socket)
    })
  })
}

/** The first line without its end; what follows stays to be read. Null where there is none. */
function takeHeader(socket: Socket): string | null {
  const first = socket.read() as Buffer | null
  const end = first?.subarray(0, maxHeader).indexOf("\n") ?? -1
  if (first === null || end === -1) return null
  if (end + 1 < first.length) socket.unshift(first.subarray(end + 1))
  return first.toString("latin1", 0, end)
}
