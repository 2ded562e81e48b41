import type { RawConnection } from "./connect.ts"
import { type Connection, openConnection } from "./connection.ts"

/** Connections that wait for their next request. */
export interface Pool {
  /** One that is kept under this name; the one that was used last, since its server has had the least time to close it. */
  take(name: string): Connection | undefined
  /** A new one; it is kept once its response has come whole. */
  open(name: string, connection: RawConnection): Connection
  /** Closes those that wait. */
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
