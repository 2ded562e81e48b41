import type { ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A server that answers nobody before everybody has asked: whoever gets a reply was one of `count` at the same time. */
export interface AtOnce {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Connections that were open when the last one had asked. */
  readonly open: number
  close(): void
}

/** Connections that may wait to be taken. */
const backlog = 4096

/** Then all replies are streamed side by side, piece by piece. `stream` makes the whole text for a path. */
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

/** One piece to each in turn, so that all are in the middle of their reply until the end. */
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
