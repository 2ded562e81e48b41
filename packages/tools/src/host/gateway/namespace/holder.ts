import { createSocket } from "node:dgram"
import { connect, createServer } from "node:net"
import type { Done, Order } from "./orders.ts"

// The process that keeps a session's network namespace open. It makes sockets inside and hands them to Gong, which then owns
// them; it reads and writes none itself, and ends with the channel to Gong, however Gong ends.

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))
process.on("message", (order: Order) => {
  switch (order.what) {
    case "listen":
      return listen(order)
    case "bind":
      return bind(order)
    case "connect":
      return dial(order)
  }
})
tell({ id: 0, pid: process.pid })

function listen({ id, address, port }: Order): void {
  const server = createServer({ allowHalfOpen: true })
  server.on("error", (error: NodeJS.ErrnoException) => tell({ id, error: error.code ?? error.message }))
  // Who connects before this copy is closed may be accepted here: that connection is gone, and the next one is Gong's.
  server.on("connection", (socket) => socket.destroy())
  server.listen({ host: address, port, ipv6Only: true, backlog: 511 }, () => {
    process.send?.({ id } satisfies Done, server, {}, () => server.close())
  })
}

function bind({ id, address, port }: Order): void {
  const socket = createSocket("udp4")
  socket.on("error", (error: NodeJS.ErrnoException) => tell({ id, error: error.code ?? error.message }))
  socket.bind(port, address, () => process.send?.({ id } satisfies Done, socket, {}, () => socket.close()))
}

function dial({ id, address, port }: Order): void {
  const socket = connect({ host: address, port, allowHalfOpen: true })
  socket.once("error", (error: NodeJS.ErrnoException) => tell({ id, error: error.code ?? error.message }))
  socket.once("connect", () => {
    // What comes now is for Gong to read.
    socket.pause()
    process.send?.({ id } satisfies Done, socket)
  })
}

function tell(done: Done): void {
  process.send?.(done)
}
