import type { Server, Socket } from "node:net"
import type { Listener } from "./listeners.ts"
import { relay } from "../protocols/relay.ts"

export interface ForwardDeps {
  /** Rejects where the place is taken. */
  listen(at: Listener): Promise<Server>
  /** The way to what is there on the other side. */
  connect(at: Listener): Promise<Socket>
  /** Asked once for each that comes. */
  allows(at: Listener): Promise<boolean>
}

/** Ports of one loopback that answer on another. */
export interface Forwards {
  has(at: Listener): boolean
  /** These and no others from now on; one that cannot be had is left out until it has been gone. Never rejects. */
  follow(wanted: readonly Listener[]): Promise<void>
  close(): void
}

/** Ports at once. */
const FORWARDS_MAX = 128
/** Connections of one port at once. */
const CONNECTIONS_MAX = 256

export function createForwards(parts: ForwardDeps): Forwards {
  /** Null: it may not be, or could not be made. */
  const open = new Map<string, Server | null>()
  const begin = async (at: Listener): Promise<void> => {
    if (open.size >= FORWARDS_MAX) return
    const key = keyOf(at)
    open.set(key, null)
    if (!(await parts.allows(at))) return
    const server = await parts.listen(at).catch(() => null)
    if (server === null) return
    // Meanwhile it may have been closed, and even been wanted anew.
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
