import { createForkServer, type ForkServer } from "./fork-server/fork-server.ts"
import { createSpawnQueue, type SpawnQueue } from "./processes/spawn-queue.ts"

/** How a process with many sessions starts their commands. */
export interface SharedSpawns {
  readonly queue: SpawnQueue
  /** Null: this process starts them itself. */
  readonly server: ForkServer | null
}

/** `places`: the number of commands that may start concurrently. */
export function createSharedSpawns(places: number): SharedSpawns {
  // Other platforms create a process without copying this one.
  const server = process.platform === "linux" ? createForkServer() : null
  return { queue: createSpawnQueue(places), server }
}
