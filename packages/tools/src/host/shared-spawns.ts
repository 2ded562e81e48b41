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

/** `places`: the number of commands that may start concurrently. `fork`: null where there is no such server. */
export function createSharedSpawns(places: number, fork = usualServer()): SharedSpawns {
  let hosts = 0
  return {
    queue: createSpawnQueue(places),
    join: () => void (hosts += 1),
    // A process with one host is small, and no command waits for the start of the server.
    server() {
      if (fork === null || hosts < 2) return null
      if (fork.ready) return fork
      fork.begin()
      return null
    },
  }
}

/** Other platforms create a process without copying this one. */
function usualServer(): ForkServer | null {
  return process.platform === "linux" ? createForkServer() : null
}
