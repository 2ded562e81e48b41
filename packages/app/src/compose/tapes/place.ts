import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { Services } from "../../services.ts"
import { type Config, readConfig } from "../config.ts"
import { tellPassedOver } from "./passed-over.ts"
import { keptSessions } from "./sessions.ts"
import type { TapePlace } from "./tape.ts"

/** Where sessions are, for the commands that look at them. */
export async function tapePlace(services: Services, spec: SessionSpec): Promise<Outcome<TapePlace>> {
  return attempt(async () => placeOf(services, must(await readConfig(services, spec))))
}

export function placeOf(services: Services, { home, workspace }: Pick<Config, "home" | "workspace">): TapePlace {
  const { clock, ids, syncMode, sessionsIn, temp } = services
  const sessions = sessionsIn?.(home) ?? keptSessions({ clock, ids, home, syncMode })
  return { home, workspace, temp, clock, ids, sessions, passedOver: tellPassedOver(services) }
}
