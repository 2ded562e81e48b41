import type { Clock, Ids, Sessions } from "@gong/spec"
import { fileSessions, type FileSessionsOptions, memorySessions, sessionsThread } from "@gong/tape/sessions"
import { systemClock } from "../../ports.ts"

export type { SyncMode } from "@gong/tape/sessions"

/** Of the whole process. */
const thread = sessionsThread(systemClock)

/** Where sessions are kept: files in the home. The only place that knows. Many sessions share a thread for reading. */
export function persistentSessions(spec: Omit<FileSessionsOptions, "thread">): Sessions {
  return fileSessions(spec.syncMode === "thread-pool" ? { ...spec, thread } : spec)
}

interface TransientDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly temp: string
}

/** With `--no-session`: gone with the process. Output files of commands go where the machine cleans up. */
export function transientSessions({ clock, ids, temp }: TransientDeps): Sessions {
  return memorySessions({ clock, ids, spillFolder: temp })
}
