import type { Clock, Ids, Sessions } from "@gong/spec"
import { fileSessions, type FileSessionsOptions, memorySessions } from "@gong/tape/sessions"

export type { SyncMode } from "@gong/tape/sessions"

/** Where sessions are kept: files in the home. The only place that knows. */
export function keptSessions(options: FileSessionsOptions): Sessions {
  return fileSessions(options)
}

interface PassingPlace {
  readonly clock: Clock
  readonly ids: Ids
  readonly temp: string
}

/** With `--no-session`: gone with the process. Output files of commands go where the machine cleans up. */
export function passingSessions({ clock, ids, temp }: PassingPlace): Sessions {
  return memorySessions({ clock, ids, spillFolder: temp })
}
