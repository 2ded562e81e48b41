import type { Socket } from "node:net"

/** Milliseconds of silence before TCP keep-alive probes the peer. */
const KEEP_ALIVE_MS = 60_000

/** Relays data in both directions until both sides have ended. An error of one side ends both. */
export function relay(one: Socket, other: Socket): Promise<void> {
  pass(one, other)
  pass(other, one)
  return Promise.all([closed(one), closed(other)]).then(() => undefined)
}

function pass(from: Socket, to: Socket): void {
  from.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
  from.on("error", () => to.destroy())
  from.on("close", () => to.destroySoon())
  from.pipe(to)
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve()
    else socket.once("close", () => resolve())
  })
}

/**
 * Reads the first bytes of a connection until `judge` accepts them. Null if the connection ends or the limits are
 * exceeded.
 */
export async function readPrefix<T>(
  socket: Socket,
  judge: (bytes: Buffer) => T | "more",
  limits: { readonly maxBytes: number; readonly maxMs: number },
): Promise<{ readonly bytes: Buffer; readonly made: T } | null> {
  const { promise, resolve } = Promise.withResolvers<{ bytes: Buffer; made: T } | null>()
  let bytes: Buffer = Buffer.alloc(0)
  const timer = setTimeout(() => resolve(null), limits.maxMs)
  const take = (more: Buffer): void => {
    bytes = Buffer.concat([bytes, more])
    const made = judge(bytes)
    if (made !== "more") resolve({ bytes, made })
    else if (bytes.length > limits.maxBytes) resolve(null)
  }
  const gone = (): void => resolve(null)
  socket.resume().on("data", take).once("end", gone).once("error", gone).once("close", gone)
  const found = await promise
  clearTimeout(timer)
  socket.pause()
  socket.off("data", take).off("end", gone).off("error", gone).off("close", gone)
  // Without a listener an error would crash the process.
  socket.on("error", () => undefined)
  return found
}
