import type { RawConnection } from "./connect.ts"
import { type Connection, openConnection } from "./connection.ts"

/** Idle connections. */
export interface Pool {
  /** The most recently used connection of this name, which the server is least likely to have closed. */
  take(name: string): Connection | undefined
  /** Opens a new one; it is kept after its response is complete. */
  open(name: string, connection: RawConnection): Connection
  /** Closes idle connections. */
  close(): void
}

export function createPool(): Pool {
  const waiting = new Map<string, Connection[]>()
  return {
    take(name) {
      const kept = waiting.get(name) ?? []
      for (let connection = kept.pop(); connection !== undefined; connection = kept.pop())
        if (connection.usable) return connection
        else connection.close()
      return undefined
    },
    open(name, connection) {
      return openConnection(connection, (connection) => {
        const others = (waiting.get(name) ?? []).filter(({ usable }) => usable)
        waiting.set(name, [...others, connection])
      })
    },
    close() {
      for (const connections of waiting.values()) for (const connection of connections) connection.close()
      waiting.clear()
    },
  }
}
