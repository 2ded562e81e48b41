import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome } from "@gong/config/usage"
import { systemClock, systemIds } from "../../ports.ts"
import type { Services } from "../../services.ts"
import { type Config, readConfig } from "../config.ts"
import { tellPassedOver } from "./passed-over.ts"
import { keptSessions, type SyncMode } from "./sessions.ts"
import type { TapePlace } from "./tape.ts"

/** Where sessions are, for the commands that look at them. */
export async function tapePlace(
  services: Services,
  spec: SessionSpec,
  syncMode: SyncMode = "at-once",
): Promise<Outcome<TapePlace>> {
  return attempt(async () => {
    const { home, workspace } = must(await readConfig(services, spec))
    return placeOf(services, { home, workspace }, syncMode)
  })
}

export function placeOf(
  services: Services,
  { home, workspace }: Pick<Config, "home" | "workspace">,
  syncMode: SyncMode,
): TapePlace {
  const clock = systemClock
  const ids = systemIds(clock)
  const sessions = keptSessions({ clock, ids, home, syncMode })
  return { home, workspace, temp: services.temp, clock, ids, sessions, passedOver: tellPassedOver(services) }
}
