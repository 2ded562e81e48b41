import { createForkServer, type ForkServer } from "./fork-server/fork-server.ts"
import { createSpawnQueue, type SpawnQueue } from "./processes/spawn-queue.ts"

/** How a process of many sessions starts their commands. */
export interface SharedSpawns {
  readonly queue: SpawnQueue
  /** Null: this process starts them itself. */
  readonly server: ForkServer | null
}

/** `places`: commands that may begin beside one another. */
export function createSharedSpawns(places: number): SharedSpawns {
  // Elsewhere a process is made without copying this one.
  const server = process.platform === "linux" ? createForkServer() : null
  return { queue: createSpawnQueue(places), server }
}
