import { changedByCommand, type CommandSpan, type Jobs } from "@gong/spec"

/** Attributes changes to commands: those that ran since the last scan, and background jobs. */
export interface Runs {
  ended(run: CommandSpan & { readonly callId: string; readonly job: number | null }): void
  /** A job was read or ended, so its changes are due. */
  jobRead(): void
  isDue(atEnd: boolean): boolean
  /**
   * The call that changed a file at this time; null if no command of the session ran then. A deleted file has no time.
   */
  callAt(ctimeMs: number | null): string | null
  /** All changes until now were scanned. `running`: the jobs that ran before that scan. */
  scanned(running: ReadonlySet<number>): void
  running(): ReadonlySet<number>
}

interface Run {
  readonly callId: string
  readonly span: CommandSpan
}

export function createRuns(jobs: Pick<Jobs, "running">): Runs {
  let runs: Run[] = []
  const inBackground = new Map<number, Run>()
  let due = false
  return {
    ended({ callId, from, to, job }) {
      runs.push({ callId, span: { from, to } })
      if (job !== null) inBackground.set(job, { callId, span: { from, to: Infinity } })
      due = true
    },
    jobRead() {
      if (inBackground.size > 0) due = true
    },
    isDue: (atEnd) => due || (atEnd && inBackground.size > 0),
    callAt(ctimeMs) {
      const did = ({ span }: Run) => ctimeMs === null || changedByCommand([span], ctimeMs)
      return (runs.findLast(did) ?? [...inBackground.values()].findLast(did))?.callId ?? null
    },
    scanned(running) {
      runs = []
      due = false
      // A job that ended before this scan makes no further changes.
      for (const number of inBackground.keys()) if (!running.has(number)) inBackground.delete(number)
    },
    running: () => new Set(jobs.running().map(({ number }) => number)),
  }
}
