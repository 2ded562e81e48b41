import { once } from "node:events"
import { connect, type Socket } from "node:net"
import type { TestContext } from "node:test"
import { listening, portOf } from "./gateway-fixture.ts"

/** Both ends of a loopback connection. */
export async function socketPair(t: TestContext): Promise<{ readonly near: Socket; readonly far: Socket }> {
  const { promise, resolve } = Promise.withResolvers<Socket>()
  const server = await listening(t, resolve)
  const near = connect({ port: portOf(server), host: "127.0.0.1", allowHalfOpen: true })
  near.on("error", () => undefined)
  t.after(() => near.destroy())
  return { near, far: await promise }
}

/** Reads until the other side has ended. */
export async function allOf(socket: Socket): Promise<string> {
  let text = ""
  socket.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")))
  socket.resume()
  if (!socket.readableEnded && !socket.destroyed)
    await Promise.race([once(socket, "end"), once(socket, "close")]).catch(() => undefined)
  return text
}
