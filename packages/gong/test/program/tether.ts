import { createServer, type Socket } from "node:net"
import type { TestContext } from "node:test"

/** Waits for the processes of a command: they exist from `held` on, and all are gone at `released`. */
export interface Tether {
  /** To be run by bash; runs until it is killed. */
  readonly command: string
  readonly held: Promise<void>
  readonly released: Promise<void>
}

/**
 * A connection that a command and all its children inherit: it closes when the last of them is dead, and they end when it is
 * closed, so that a failed test leaves nothing and need not kill a pid that a command printed.
 */
export async function tether(t: TestContext): Promise<Tether> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined).on("close", () => released.resolve())
    socket.once("data", () => held.resolve())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const command = `exec 9<>/dev/tcp/127.0.0.1/${port}; echo held >&9; cat <&9 & cat <&9`
  return { command, held: held.promise, released: released.promise }
}
