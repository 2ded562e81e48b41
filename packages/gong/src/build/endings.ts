import type { Jobs } from "@gong/spec"
import type { Session } from "../session/session.ts"
import { say } from "../texts/say.ts"

export interface Endings {
  /** The end for which there is no time. */
  close(): void
  /** The end as it should be; gives what is to be said about it. `keeps`: another session goes on with the tape. */
  leave(keeps?: "tape"): Promise<readonly string[]>
}

interface Closable {
  close(): void
}

export interface Ending {
  readonly session: Session
  readonly jobs: Jobs
  readonly transport: Closable
  readonly tape: Closable
  readonly extensions: { end(): void }
}

export function endings({ session, jobs, transport, tape, extensions }: Ending): Endings {
  const leaveTape = (): void => {
    extensions.end()
    transport.close()
  }
  const close = once(() => {
    leaveTape()
    tape.close()
  })
  return {
    close,
    async leave(keeps) {
      await session.end()
      const ended = await jobs.end()
      if (keeps === "tape") leaveTape()
      else close()
      return ended.map(({ number, title }) => say`gong: ended job ${number} (${title})`)
    },
  }
}

/** A second signal may come while the first one's end is under way. */
function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
