import type { Clock, Ids, Sessions } from "@gong/spec"
import { memoryDisk } from "../store/disk/memory.ts"
import { nodeDisk } from "../store/disk/node.ts"
import { nodeMachine } from "../store/lock/machine.ts"
import type { SyncMode } from "../store/write/syncs.ts"
import { callIndexHere } from "./call-index.ts"
import { createSessions } from "./create-sessions.ts"
import { inMemory, type SessionsContext } from "./context.ts"

export type { SyncMode } from "../store/write/syncs.ts"

export interface FileSessionsOptions {
  readonly clock: Clock
  readonly ids: Ids
  /** The folder that holds `sessions`, `trash` and `index.db`; it is there when something is made in it. */
  readonly home: string
  /** Where sessions that are written are synced. */
  readonly syncMode: SyncMode
}

/** Sessions as files in a home. */
export function fileSessions({ clock, ids, home, syncMode }: FileSessionsOptions): Sessions {
  const ports = { disk: nodeDisk(), clock, ids, machine: nodeMachine(), syncMode }
  return sessionsIn({
    ports,
    sessions: `${home}/sessions`,
    trash: `${home}/trash`,
    index: `${home}/index.db`,
    spillFolder: null,
  })
}

export interface MemorySessionsOptions {
  readonly clock: Clock
  readonly ids: Ids
  /** Where output files of commands go: the machine cleans up there. */
  readonly spillFolder: string
}

/** Sessions that are gone with the process. */
export function memorySessions({ clock, ids, spillFolder }: MemorySessionsOptions): Sessions {
  const disk = memoryDisk({ now: () => clock.now() })
  const ports = { disk, clock, ids, machine: nodeMachine() }
  return sessionsIn({ ports, sessions: "/sessions", trash: "/trash", index: inMemory, spillFolder })
}

function sessionsIn(context: SessionsContext): Sessions {
  return createSessions(context, callIndexHere(context))
}
