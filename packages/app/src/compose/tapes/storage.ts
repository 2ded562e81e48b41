import type { Clock, Ids, Sessions } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { Workspace } from "@gong/config/workspace"
import type { Services } from "../../services.ts"
import { type Config, readConfig } from "../config.ts"
import { type ReportUnreadable, unreadableReporter } from "./unreadable-sessions.ts"
import { persistentSessions } from "./sessions.ts"

/** The stored sessions, and what is needed to create and open one. */
export interface TapeStorage {
  readonly home: string
  readonly workspace: Workspace
  readonly temp: string
  readonly clock: Clock
  readonly ids: Ids
  /** The persistent sessions. */
  readonly sessions: Sessions
  readonly reportUnreadable: ReportUnreadable
}

/** The storage for commands on stored sessions. */
export async function tapeStorage(services: Services, spec: SessionSpec): Promise<Outcome<TapeStorage>> {
  return attempt(async () => storageOf(services, must(await readConfig(services, spec))))
}

export function storageOf(services: Services, { home, workspace }: Pick<Config, "home" | "workspace">): TapeStorage {
  const { clock, ids, syncMode, sessionsIn, temp } = services
  const sessions = sessionsIn?.(home) ?? persistentSessions({ clock, ids, home, syncMode })
  return { home, workspace, temp, clock, ids, sessions, reportUnreadable: unreadableReporter(services) }
}
