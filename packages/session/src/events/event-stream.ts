import { type Entry, type Event, failure, FailureError, phrase, projection, type PublishedStep } from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import type { LiveState } from "./live-state.ts"

export interface EventOptions {
  /** The id of the last entry whose events the reader has; null: begins with the first entry. */
  readonly after: string | null
  /** Also partials of a reply and of tool output. */
  readonly partial: boolean
  /** Called when there may be more events, also during a call of `next`. */
  wake(): void
}

/**
 * The events of a session from any entry on: those of the tape in its order, then the live state, then new ones. A slow
 * reader does not block the run: entries are read again from the tape, and a reply that still streams begins anew with its
 * text so far, by a `message_start` of the same id.
 */
export interface EventStream {
  /** The events of the next entry or step, possibly none; null: no more events now. */
  next(): readonly Event[] | null
  /** The id of the last entry whose events were returned; null before the first. */
  readonly after: string | null
  /** When the entry of the last events was made (ISO 8601, UTC); null if they are of no entry. */
  readonly time: string | null
  close(): void
}

/** The source of a stream. */
export interface EventSource {
  readonly history: Pick<ReadonlyTape, "all">
  readonly live: Pick<LiveState, "steps">
  /** How many entries of the tape have been published. */
  published(): number
  /** Tokens; of the model in use. */
  contextWindow(): number
  /** `published`: the number of published entries, including this step. */
  subscribe(listener: (step: PublishedStep, published: number) => void, partials: boolean): () => void
}

/** Limits of the queue of one reader: steps, and characters of their deltas. Beyond them the reader reads the tape again. */
const WAITING_MAX_STEPS = 1000
const WAITING_MAX_CHARS = 1_000_000

interface Waiting {
  readonly step: PublishedStep
  readonly published: number
}

/** Throws FailureError (`bad-request`) when the tape has no such entry. */
export function eventStream(source: EventSource, { after, partial, wake }: EventOptions): EventStream {
  const { all } = source.history
  const known = after === null ? -1 : placeOf(all, after)
  let last = after
  let time: string | null = null
  /** Entries before this index were returned, or are only read for the state of the run that contains them. */
  let at = runBefore(all, known)
  /** Null: the reader is behind and reads the tape. */
  let waiting: Waiting[] | null = null
  let chars = 0
  const options = {
    partial,
    get contextWindow() {
      return source.contextWindow()
    },
  }
  const projected = projection(options)

  const leave = source.subscribe((step, published) => {
    if (waiting !== null) {
      chars += charsOf(step)
      if (waiting.length < WAITING_MAX_STEPS && chars <= WAITING_MAX_CHARS) waiting.push({ step, published })
      else waiting = null
    }
    wake()
  }, partial)

  function fromTape(): readonly Event[] {
    const place = at
    at += 1
    const entry = all.entry(place)
    const events = projected.project({ entries: [entry] })
    time = entry.timestamp
    if (place <= known) return []
    last = entry.id
    return events
  }

  function fromWaiting({ step, published }: Waiting): readonly Event[] {
    chars -= charsOf(step)
    time = "entries" in step ? (step.entries.at(-1)?.timestamp ?? null) : null
    if ("entries" in step) {
      at = Math.max(at, published)
      last = step.entries.at(-1)?.id ?? last
    }
    return projected.project(step)
  }

  return {
    next() {
      if (waiting === null) {
        if (at < source.published()) return fromTape()
        waiting = source.live.steps(partial).map((step) => ({ step, published: at }))
        chars = waiting.reduce((sum, { step }) => sum + charsOf(step), 0)
      }
      const first = waiting.shift()
      return first === undefined ? null : fromWaiting(first)
    },
    get after() {
      return last
    },
    get time() {
      return time
    },
    close: leave,
  }
}

function placeOf(all: ReadonlyTape["all"], id: string): number {
  for (let place = all.length - 1; place >= 0; place--) if (all.head(place).id === id) return place
  throw new FailureError(failure("bad-request", phrase`This session has no entry ${id}.`))
}

/** The index after the last end of a run before this entry: its run begins there or later. */
export function runBefore(all: ReadonlyTape["all"], place: number): number {
  for (let at = place; at >= 0; at--) if (all.kind(at).type === "run_end") return at + 1
  return 0
}

/** Characters of a delta; the size of other steps is bounded. */
function charsOf(step: PublishedStep): number {
  if ("inside" in step) return charsOf(step.step)
  return "partial" in step && "delta" in step.partial ? step.partial.delta.length : 0
}

/** Counts the published entries of a tape; they are published in its order. */
export function publishedOn(all: ReadonlyTape["all"]): {
  readonly count: number
  take(entries: readonly Entry[]): void
} {
  let count = all.length
  return {
    get count() {
      return count
    },
    take(entries) {
      const last = entries.at(-1)
      if (last === undefined) return
      while (count < all.length && all.head(count).id !== last.id) count += 1
      count = Math.min(count + 1, all.length)
    },
  }
}
