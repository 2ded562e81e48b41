import type { Clock, Ids, Sessions } from "@gong/spec"
import { memoryDisk } from "../store/disk/memory.ts"
import { nodeDisk } from "../store/disk/node.ts"
import { nodeMachine } from "../store/lock/machine.ts"
import type { SyncMode } from "../store/write/syncs.ts"
import { createSessions } from "./create-sessions.ts"
import { inMemory } from "./context.ts"
import { readsHere } from "./reads.ts"
import type { SessionsThread } from "./thread/reads.ts"

export type { SyncMode } from "../store/write/syncs.ts"
export { type SessionsThread, sessionsThread } from "./thread/reads.ts"

export interface FileSessionsOptions {
  readonly clock: Clock
  readonly ids: Ids
  /** The folder of `sessions`, `trash` and `index.db`. It must exist when something is created in it. */
  readonly home: string
  /** How writes of sessions are synced. */
  readonly syncMode: SyncMode
  /** Reads many sessions at once; absent: this thread does. */
  readonly thread?: SessionsThread
}

/** Sessions as files in a home folder. */
export function fileSessions({ clock, ids, home, syncMode, thread }: FileSessionsOptions): Sessions {
  const ports = { disk: nodeDisk(), clock, ids, machine: nodeMachine(), syncMode }
  const context = {
    ports,
    sessions: `${home}/sessions`,
    trash: `${home}/trash`,
    index: `${home}/index.db`,
    spillFolder: null,
  }
  return createSessions(context, thread?.reads(context) ?? readsHere(context))
}

export interface MemorySessionsOptions {
  readonly clock: Clock
  readonly ids: Ids
  /** The folder for output files of commands; the system cleans it up. */
  readonly spillFolder: string
}

/** Sessions in memory, which end with the process. */
export function memorySessions({ clock, ids, spillFolder }: MemorySessionsOptions): Sessions {
  const disk = memoryDisk({ now: () => clock.now() })
  const ports = { disk, clock, ids, machine: nodeMachine() }
  const context = { ports, sessions: "/sessions", trash: "/trash", index: inMemory, spillFolder }
  return createSessions(context, readsHere(context))
}
