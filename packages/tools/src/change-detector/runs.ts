import { changedByCommand, type CommandSpan, type Jobs } from "@gong/spec"

/** Which command did it: those that ran since the last look, and those that go on in the background. */
export interface Runs {
  ended(run: CommandSpan & { readonly callId: string; readonly job: number | null }): void
  /** A job was read or ended: what it did meanwhile is to be found. */
  jobRead(): void
  isDue(atEnd: boolean): boolean
  /** The call that changed a file at this time; null: nobody of the session. Without a time: what is gone has none. */
  callAt(ctimeMs: number | null): string | null
  /** What happened until now has been looked for. `running`: asked before that look. */
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
      // One that had ended before this look has done all that it will do.
      for (const number of inBackground.keys()) if (!running.has(number)) inBackground.delete(number)
    },
    running: () => new Set(jobs.running().map(({ number }) => number)),
  }
}
