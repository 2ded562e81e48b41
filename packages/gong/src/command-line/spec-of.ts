import type { Options } from "./flags.ts"
import type { SessionSpec, TapeChoice } from "@gong/config/session-spec"

/** What a command line asks of its session. The options that choose a tape exclude each other. */
export function specOf(options: Options, interactive: boolean): SessionSpec {
  const { continue: newest, session, sessionId, fork, noSession, ...rest } = options
  return { ...rest, interactive, tape: tapeOf({ newest, session, sessionId, fork, noSession }) }
}

interface Chosen {
  readonly newest: true | undefined
  readonly session: string | undefined
  readonly sessionId: string | undefined
  readonly fork: string | undefined
  readonly noSession: true | undefined
}

function tapeOf({ newest, session, sessionId, fork, noSession }: Chosen): TapeChoice {
  if (noSession) return { kind: "memory" }
  if (fork !== undefined) return { kind: "fork", session: fork }
  if (session !== undefined) return { kind: "stored", session }
  if (sessionId !== undefined) return { kind: "id", id: sessionId }
  return newest ? { kind: "newest" } : { kind: "new" }
}
