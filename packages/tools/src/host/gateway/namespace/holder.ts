import { createSocket } from "node:dgram"
import { connect, createServer } from "node:net"
import type { HolderReply, HolderRequest } from "./messages.ts"

// The process that keeps a session's network namespace alive. It creates sockets inside and passes them to Gong, which
// owns them. It reads and writes none itself, and exits with the channel to Gong, however Gong ends.

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))
process.on("message", (request: HolderRequest) => {
  switch (request.what) {
    case "listen":
      return listen(request)
    case "bind":
      return bind(request)
    case "connect":
      return dial(request)
  }
})
tell({ id: 0, pid: process.pid })

function listen({ id, address, port }: HolderRequest): void {
  const server = createServer({ allowHalfOpen: true })
  server.on("error", (error: NodeJS.ErrnoException) => tell({ id, error: error.code ?? error.message }))
  // A connection made before this copy is closed may be accepted here. It is dropped, and the next one reaches Gong.
  server.on("connection", (socket) => socket.destroy())
  server.listen({ host: address, port, ipv6Only: true, backlog: 511 }, () => {
    process.send?.({ id } satisfies HolderReply, server, {}, () => server.close())
  })
}

function bind({ id, address, port }: HolderRequest): void {
  const socket = createSocket("udp4")
  socket.on("error", (error: NodeJS.ErrnoException) => tell({ id, error: error.code ?? error.message }))
  socket.bind(port, address, () => process.send?.({ id } satisfies HolderReply, socket, {}, () => socket.close()))
}

function dial({ id, address, port }: HolderRequest): void {
  const socket = connect({ host: address, port, allowHalfOpen: true })
  socket.once("error", (error: NodeJS.ErrnoException) => tell({ id, error: error.code ?? error.message }))
  socket.once("connect", () => {
    // Gong reads all data from here on.
    socket.pause()
    process.send?.({ id } satisfies HolderReply, socket)
  })
}

function tell(reply: HolderReply): void {
  process.send?.(reply)
}
