import { createServer, type Server, type Socket } from "node:net"
import { type Stream, streamNames } from "./messages.ts"

/** Milliseconds to wait for the header of a connection, which the fork server writes at once. */
const maxHeaderWait = 5_000
const maxHeader = 200

/**
 * Accepts the streams of started programs. Any local process may connect to an abstract socket, so a connection counts
 * only if it begins with the token.
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

/** The first line without its end; later bytes remain to be read. Null if there is none. */
function takeHeader(socket: Socket): string | null {
  const first = socket.read() as Buffer | null
  const end = first?.subarray(0, maxHeader).indexOf("\n") ?? -1
  if (first === null || end === -1) return null
  if (end + 1 < first.length) socket.unshift(first.subarray(end + 1))
  return first.toString("latin1", 0, end)
}
