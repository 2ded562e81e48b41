import type { ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A server that answers only after all `count` requests have arrived, so that all replies are concurrent. */
export interface AtOnce {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Open connections when the last request arrived. */
  readonly open: number
  close(): void
}

/** Maximum number of connections waiting to be accepted. */
const backlog = 4096

/** Then streams all replies in parallel, in small writes. `stream` returns the whole text for a path. */
export async function startConcurrentStreams(
  count: number,
  stream: (path: string) => string,
  piece = 64,
): Promise<AtOnce> {
  const waiting: { readonly response: ServerResponse; readonly bytes: Buffer }[] = []
  let open = 0
  const sockets = new Set<object>()
  const http = process.getBuiltinModule("node:http")
  const server = http.createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
      waiting.push({ response, bytes: Buffer.from(stream(request.url ?? "/")) })
      if (waiting.length < count) return
      open = sockets.size
      play(waiting.splice(0), piece)
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1", backlog }, resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get open() {
      return open
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** One write per reply in rotation, so that all are incomplete until the end. */
function play(replies: readonly { readonly response: ServerResponse; readonly bytes: Buffer }[], piece: number): void {
  let at = 0
  const longest = Math.max(...replies.map(({ bytes }) => bytes.length))
  const round = (): void => {
    for (const { response, bytes } of replies) {
      if (at < bytes.length) response.write(bytes.subarray(at, at + piece))
      if (at + piece >= bytes.length && !response.writableEnded) response.end()
    }
    at += piece
    if (at < longest) setImmediate(round)
  }
  round()
}
