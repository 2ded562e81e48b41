import { phrase } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { openToRead } from "@gong/app/compose/tapes/tape"
import { findSession } from "@gong/app/compose/tapes/find-session"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { eventLine } from "../../modes/event-lines.ts"
import { shortId } from "@gong/session/short-id"
import type { CommandContext, OutputLines } from "./output.ts"
import { type StoredProjection, storedProjection, type StoredEvent } from "./stored-projection.ts"

/** `gong sessions show ID --output events [--after ENTRY|N]`: the active branch as events. */
export function showSessionEvents(
  { place, options, cli }: CommandContext,
  wanted: string,
): Promise<Outcome<OutputLines>> {
  return attempt(async () => {
    const session = must(await findSession(place, wanted))
    const tape = await openToRead(place, session)
    try {
      const from = must(startOf(tape, options.after))
      const projection = await storedProjection(tape, session, cli)
      return { lines: linesFrom(from, eventsOf(tape, projection), () => tape.close()) }
    } catch (error) {
      tape.close()
      throw error
    }
  })
}

/** Lines up to this number, and entries up to this position in the branch, are skipped. */
interface Start {
  readonly seq: number
  readonly position: number
}

const idLength = 12

function startOf(tape: Tape, after: string | undefined): Outcome<Start> {
  if (after === undefined) return ok({ seq: 0, position: beforeAll })
  if (after.length !== idLength && /^\d+$/.test(after)) return ok({ seq: Number(after), position: beforeAll })
  const position = positionOnBranch(tape, after)
  if (position !== null) return ok({ seq: 0, position })
  return usage(
    phrase`--after ${after}: the active branch of session ${shortId(tape.id)} has no such entry. Give the "entry" or the number of a line.`,
  )
}

/** The position of an entry on the active branch; null if it is not there. */
export function positionOnBranch({ branch }: Pick<Tape, "branch">, id: string): number | null {
  for (let at = branch.length - 1; at >= 0; at--) if (branch.head(at).id === id) return at
  return null
}

/** An event and the position of its entry in the branch. */
interface BranchEvent extends StoredEvent {
  readonly position: number
}

const beforeAll = -2
const sessionPosition = -1

function* linesFrom(start: Start, events: Iterable<BranchEvent>, close: () => void): Generator<string> {
  let seq = 0
  try {
    for (const { event, time, position } of events) {
      seq += 1
      if (seq > start.seq && position > start.position) yield eventLine(event, seq, time)
    }
  } finally {
    close()
  }
}

/** The result of the last run comes last. */
function* eventsOf({ branch }: Tape, projection: StoredProjection): Generator<BranchEvent> {
  yield { ...projection.first, position: sessionPosition }
  for (let position = 0; position < branch.length; position++)
    for (const one of projection.project(branch.entry(position))) yield { ...one, position }
  const result = projection.result()
  if (result !== null) yield { ...result, position: branch.length }
}
