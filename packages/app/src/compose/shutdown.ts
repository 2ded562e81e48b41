import { FailureError, type Jobs } from "@gong/spec"
import { nextSlice } from "../ports.ts"
import type { Session } from "@gong/session/session"
import type { Translate } from "@gong/texts/translator"

export interface SessionShutdown {
  /** Closes immediately, without waiting for anything. */
  close(): void
  /** Ends jobs, waits for the disk, and closes. `keep`: another session continues with the tape. */
  shutdown(keep?: "tape"): Promise<ShutdownResult>
}

export interface ShutdownResult {
  /** Whole lines for the user. */
  readonly lines: readonly string[]
  /** All steps are stored. */
  readonly isStored: boolean
}

interface Closable {
  close(): void
}

export interface ShutdownDeps {
  readonly session: Session
  readonly jobs: Jobs
  readonly transport: Closable
  readonly tape: Closable & { settled(scope: "all"): Promise<void> | null }
  readonly extensions: { end(): void }
  readonly mcp: { end(): Promise<void> }
}

export function sessionShutdown(
  t: Translate,
  { session, jobs, transport, tape, extensions, mcp }: ShutdownDeps,
): SessionShutdown {
  const closeServices = (): void => {
    extensions.end()
    transport.close()
  }
  const close = once(() => {
    closeServices()
    tape.close()
  })
  return {
    close,
    async shutdown(keep) {
      await nextSlice()
      await session.end()
      const [ended] = await Promise.all([jobs.end(), mcp.end()])
      const lines = ended.map(({ number, title }) => t`gong: ended job ${number} (${title})`)
      if (keep === "tape") {
        closeServices()
        return { lines, isStored: true }
      }
      const unwritten = await session.unwritten()
      // Uses the thread pool in a process of many sessions; `close` syncs the rest on this thread.
      const unsettled = await errorOf(tape.settled("all"))
      const failed = closeError(close) ?? unsettled
      const error = unwritten === null ? failed : new FailureError(unwritten)
      return error === null
        ? { lines, isStored: true }
        : { lines: [...lines, await reportedLine(t, error)], isStored: false }
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

/** The error of the last sync, which is reported when the file is closed; or null. */
function closeError(close: () => void): unknown {
  try {
    close()
    return null
  } catch (error) {
    return error
  }
}

/** Rethrows all errors except those of the disk. */
async function reportedLine(t: Translate, error: unknown): Promise<string> {
  const { diskErrorLine } = await import("@gong/config/disk-error")
  const line = diskErrorLine(t, error)
  if (line === null) throw error
  return line
}

/** A second signal may arrive during the shutdown. */
function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
