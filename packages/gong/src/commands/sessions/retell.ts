import { phrase } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { openToRead, findSession } from "@gong/app/compose/tapes/tape"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { eventLine } from "../../modes/event-lines.ts"
import { shortId } from "@gong/session/short-id"
import type { Asked, Lines } from "./answer.ts"
import { type Narrator, narratorOf, type StoredEvent } from "./narrator.ts"

/** `gong sessions show ID --output events [--after ENTRY|N]`: the active branch as the events that said it. */
export function retellSession({ place, options, cli }: Asked, wanted: string): Promise<Outcome<Lines>> {
  return attempt(async () => {
    const session = must(await findSession(place, wanted))
    const tape = await openToRead(place, session)
    try {
      const from = must(startOf(tape, options.after))
      const narrator = await narratorOf(tape, session, cli)
      return { lines: linesFrom(from, eventsBy(tape, narrator), () => tape.close()) }
    } catch (error) {
      tape.close()
      throw error
    }
  })
}

/** What stands in front of it is not said again: lines by their number, entries by their place in the branch. */
interface Start {
  readonly seq: number
  readonly place: number
}

const idLength = 12

function startOf(tape: Tape, after: string | undefined): Outcome<Start> {
  if (after === undefined) return ok({ seq: 0, place: beforeAll })
  if (after.length !== idLength && /^\d+$/.test(after)) return ok({ seq: Number(after), place: beforeAll })
  const place = placeOnBranch(tape, after)
  if (place !== null) return ok({ seq: 0, place })
  return usage(
    phrase`--after ${after}: the active branch of session ${shortId(tape.id)} has no such entry. Give the "entry" of a line, or the number of a line of this list.`,
  )
}

/** The place of an entry on the active branch; null: it is not there. */
export function placeOnBranch({ branch }: Pick<Tape, "branch">, id: string): number | null {
  for (let place = branch.length - 1; place >= 0; place--) if (branch.head(place).id === id) return place
  return null
}

/** An event, when it happened, and the place of its entry in the branch. */
interface Placed extends StoredEvent {
  readonly place: number
}

const beforeAll = -2
const sessionPlace = -1

function* linesFrom(start: Start, events: Iterable<Placed>, close: () => void): Generator<string> {
  let seq = 0
  try {
    for (const { event, time, place } of events) {
      seq += 1
      if (seq > start.seq && place > start.place) yield eventLine(event, seq, time)
    }
  } finally {
    close()
  }
}

/** A result stands at the end when the last run has one. */
function* eventsBy({ branch }: Tape, narrator: Narrator): Generator<Placed> {
  yield { ...narrator.first, place: sessionPlace }
  for (let place = 0; place < branch.length; place++)
    for (const one of narrator.tell(branch.entry(place))) yield { ...one, place }
  const result = narrator.result()
  if (result !== null) yield { ...result, place: branch.length }
}
