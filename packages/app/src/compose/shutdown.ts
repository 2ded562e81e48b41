import { FailureError, type Jobs } from "@gong/spec"
import { nextSlice } from "../ports.ts"
import type { Session } from "@gong/session/session"
import type { Translate } from "@gong/texts/translator"

export interface Endings {
  /** The end for which there is no time. */
  close(): void
  /** The end as it should be. `keeps`: another session goes on with the tape. */
  leave(keeps?: "tape"): Promise<Left>
}

export interface Left {
  /** What is to be said about it. */
  readonly lines: readonly string[]
  /** Every step is on the disk. */
  readonly kept: boolean
}

interface Closable {
  close(): void
}

export interface Ending {
  readonly session: Session
  readonly jobs: Jobs
  readonly transport: Closable
  readonly tape: Closable & { settled(scope: "all"): Promise<void> | null }
  readonly extensions: { end(): void }
}

export function endings(t: Translate, { session, jobs, transport, tape, extensions }: Ending): Endings {
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
      await nextSlice()
      await session.end()
      const ended = await jobs.end()
      const said = ended.map(({ number, title }) => t`gong: ended job ${number} (${title})`)
      if (keeps === "tape") {
        leaveTape()
        return { lines: said, kept: true }
      }
      const unwritten = await session.unwritten()
      // In the thread pool where there are other sessions; what is left for `close` is synced on this thread.
      const unsettled = await errorOf(tape.settled("all"))
      const failed = closing(close) ?? unsettled
      const lost = unwritten === null ? failed : new FailureError(unwritten)
      return lost === null ? { lines: said, kept: true } : { lines: [...said, await lineAbout(t, lost)], kept: false }
    },
  }
}

async function errorOf(settled: Promise<void> | null): Promise<unknown> {
  try {
    await settled
    return null
  } catch (error) {
    return error
  }
}

/** Null, or why the disk did not take what was written last: a sync that failed is told by the end of the file. */
function closing(close: () => void): unknown {
  try {
    close()
    return null
  } catch (error) {
    return error
  }
}

/** Throws what is not the disk's fault. */
async function lineAbout(t: Translate, error: unknown): Promise<string> {
  const { diskErrorLine } = await import("@gong/config/disk-error")
  const line = diskErrorLine(t, error)
  if (line === null) throw error
  return line
}

/** A second signal may come while the first one's end is under way. */
function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
