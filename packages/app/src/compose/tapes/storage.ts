import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { Services } from "../../services.ts"
import { type Config, readConfig } from "../config.ts"
import { unreadableReporter } from "./unreadable-sessions.ts"
import { persistentSessions } from "./sessions.ts"
import type { TapeStorage } from "./tape.ts"

/** Where sessions are, for the commands that look at them. */
export async function tapeStorage(services: Services, spec: SessionSpec): Promise<Outcome<TapeStorage>> {
  return attempt(async () => placeOf(services, must(await readConfig(services, spec))))
}

export function placeOf(services: Services, { home, workspace }: Pick<Config, "home" | "workspace">): TapeStorage {
  const { clock, ids, syncMode, sessionsIn, temp } = services
  const sessions = sessionsIn?.(home) ?? persistentSessions({ clock, ids, home, syncMode })
  return { home, workspace, temp, clock, ids, sessions, reportUnreadable: unreadableReporter(services) }
}
