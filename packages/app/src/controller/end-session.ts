import type { OpenedSession } from "../compose/open-session.ts"
import type { Services } from "../services.ts"

/** Ends a session and reports its lines. False: not all steps are stored. */
export async function endSession(services: Services, opened: OpenedSession, keep?: "tape"): Promise<boolean> {
  const { lines, isStored } = await opened.shutdown(keep)
  for (const line of lines) services.warn(line)
  return isStored
}
