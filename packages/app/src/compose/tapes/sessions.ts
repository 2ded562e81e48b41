import type { Clock, Ids, Sessions } from "@gong/spec"
import { fileSessions, type FileSessionsOptions, memorySessions, sessionsThread } from "@gong/tape/sessions"
import { systemClock } from "../../ports.ts"

export type { SyncMode } from "@gong/tape/sessions"

/** One per process. */
const thread = sessionsThread(systemClock)

/** Sessions as files in Gong's folder; only this file knows that. In a process of many sessions one thread reads them. */
export function persistentSessions(spec: Omit<FileSessionsOptions, "thread">): Sessions {
  return fileSessions(spec.syncMode === "thread-pool" ? { ...spec, thread } : spec)
}

interface TransientDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly temp: string
}

/** Sessions in memory, for `--no-session`. Output files of commands go to the temporary folder. */
export function transientSessions({ clock, ids, temp }: TransientDeps): Sessions {
  return memorySessions({ clock, ids, spillFolder: temp })
}
