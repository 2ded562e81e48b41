import { createForkServer, type ForkServer } from "./fork-server/fork-server.ts"
import { createSpawnQueue, type SpawnQueue } from "./processes/spawn-queue.ts"

/** How a process with many sessions starts their commands. */
export interface SharedSpawns {
  readonly queue: SpawnQueue
  /** Called once by each host that starts commands. */
  join(): void
  /** Null: this process starts them itself. */
  server(): ForkServer | null
}

/** `places`: the number of commands that may start concurrently. */
export function createSharedSpawns(places: number): SharedSpawns {
  // Other platforms create a process without copying this one.
  const fork = process.platform === "linux" ? createForkServer() : null
  let hosts = 0
  return {
    queue: createSpawnQueue(places),
    join: () => void (hosts += 1),
    // A process with one host is small, and blocks no other session.
    server: () => (hosts < 2 ? null : fork),
  }
}
