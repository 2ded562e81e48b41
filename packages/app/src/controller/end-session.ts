import type { OpenedSession } from "../compose/open-session.ts"
import type { Services } from "../services.ts"

/** Leaves a session, and says what is to be said of it. False when steps of it are not kept. */
export async function endSession(services: Services, app: OpenedSession, keeps?: "tape"): Promise<boolean> {
  const { lines, kept } = await app.leave(keeps)
  for (const line of lines) services.warn(line)
  return kept
}
