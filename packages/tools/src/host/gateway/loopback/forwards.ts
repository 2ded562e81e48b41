import type { Server, Socket } from "node:net"
import type { Listener } from "./listeners.ts"
import { relay } from "../protocols/relay.ts"

export interface ForwardDeps {
  /** Rejects if the port is in use. */
  listen(at: Listener): Promise<Server>
  /** Connects to the listener on the other side. */
  connect(at: Listener): Promise<Socket>
  /** Called once for each new listener. */
  allows(at: Listener): Promise<boolean>
}

/** Ports of one loopback interface that are forwarded to another. */
export interface Forwards {
  has(at: Listener): boolean
  /**
   * Replaces the set of forwarded listeners. One that cannot be forwarded is retried only after it disappeared. Never
   * rejects.
   */
  follow(wanted: readonly Listener[]): Promise<void>
  close(): void
}

/** Maximum number of forwarded ports. */
const FORWARDS_MAX = 128
/** Maximum number of connections per port. */
const CONNECTIONS_MAX = 256

export function createForwards(parts: ForwardDeps): Forwards {
  /** Null: not allowed, or the port could not be opened. */
  const open = new Map<string, Server | null>()
  const begin = async (at: Listener): Promise<void> => {
    if (open.size >= FORWARDS_MAX) return
    const key = keyOf(at)
    open.set(key, null)
    if (!(await parts.allows(at))) return
    const server = await parts.listen(at).catch(() => null)
    if (server === null) return
    // It may have been closed, and even requested again, meanwhile.
    if (open.get(key) !== null) return void server.close()
    open.set(key, server)
    server.unref()
    server.maxConnections = CONNECTIONS_MAX
    server.on("error", () => undefined)
    server.on("connection", (client) => void pass(client, at, parts.connect))
  }
  const end = (key: string): void => {
    open.get(key)?.close()
    open.delete(key)
  }
  return {
    has: (at) => (open.get(keyOf(at)) ?? null) !== null,
    async follow(wanted) {
      const keys = new Set(wanted.map(keyOf))
      for (const key of open.keys()) if (!keys.has(key)) end(key)
      const more = wanted.filter((at) => !open.has(keyOf(at)))
      if (more.length > 0) await Promise.all(more.map(begin))
    },
    close() {
      for (const key of open.keys()) end(key)
    },
  }
}

async function pass(client: Socket, at: Listener, connect: ForwardDeps["connect"]): Promise<void> {
  client.on("error", () => undefined)
  try {
    const server = await connect(at)
    server.on("error", () => client.resetAndDestroy())
    await relay(client, server)
  } catch {
    client.resetAndDestroy()
  }
}

function keyOf({ address, port }: Listener): string {
  return `${address} ${port}`
}
