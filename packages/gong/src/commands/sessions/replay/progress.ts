import { type Entry, type EntryOf, phrase, type PublishedStep, type Text } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { entryDifference, isCompared } from "./compare.ts"
import type { Difference } from "./difference.ts"
import type { Segment, RecordedRun } from "./plan.ts"
import type { Exchange } from "./recording.ts"

/** The first place where a replay is not what was recorded. */
export interface Found extends Difference {
  /** `request 7`, `step nh65bacajbbm (message)`. */
  readonly at: Text
}

/** An input of the segment, and its place on the tape. */
export interface Due {
  readonly input: EntryOf<"input">
  readonly place: number
}

/** How far the replay of a segment is. */
export interface Progress {
  /** Of an entry on the tape. */
  placeOf(id: string): number
  readonly segment: Segment
  /** What is still to come, in order. */
  readonly inputs: Due[]
  readonly expected: Entry[]
  /** Which run is replayed now, or comes next. */
  at: number
  /** Exchanges of it that were asked for. */
  taken: number
  /** It was recorded no further than this: its process ended there, or the recording did. */
  cut: boolean
  requests: number
  entries: number
  difference: Found | null
}

export function progressOf({ all, store }: Tape, segment: Segment): Progress {
  const inputs: Due[] = []
  const expected: Entry[] = []
  const last = segment.runs.at(-1)?.last ?? -1
  for (let place = segment.runs[0].first; place <= last; place++) {
    const entry = all.entry(place)
    if (entry.type === "input") inputs.push({ input: entry, place })
    if (isCompared(entry)) expected.push(entry)
  }
  const none = { at: 0, taken: 0, cut: false, requests: 0, entries: 0, difference: null }
  const placeOf = (id: string): number => store.placeOf(id) ?? Infinity
  return { placeOf, segment, inputs, expected, ...none }
}

export function runNow({ segment, at }: Progress): RecordedRun {
  return segment.runs[at] ?? segment.runs[0]
}

/** The exchange for the request that comes now; null when the recording has none. */
export function nextExchange(progress: Progress): Exchange | null {
  const run = runNow(progress)
  const exchange = run.exchanges[progress.taken]
  if (exchange === undefined) {
    progress.cut = run.end === null
    if (!progress.cut) progress.difference ??= oneMore(run)
    return null
  }
  progress.taken += 1
  progress.requests += 1
  return exchange
}

function oneMore({ exchanges }: RecordedRun): Found {
  const last = exchanges.at(-1)?.number ?? 0
  return {
    at: phrase`request ${last + 1}`,
    path: "",
    recorded: phrase`none: the run ended`,
    replayed: phrase`one more`,
  }
}

/** Compares what the replayed session wrote with what the tape has at this place. */
export function compareStep(progress: Progress, step: PublishedStep, reach: (time: number) => void): void {
  for (const replayed of "entries" in step ? step.entries : []) {
    if (progress.difference !== null) return
    if (replayed.type === "input") progress.entries += 1
    if (!isCompared(replayed)) continue
    const recorded = progress.expected.shift()
    if (recorded === undefined) {
      progress.difference = {
        at: phrase`after the last step`,
        path: "",
        recorded: phrase`nothing`,
        replayed: replayed.type,
      }
      return
    }
    const found = entryDifference(recorded, replayed)
    if (found) progress.difference = { at: phrase`step ${recorded.id} (${recorded.type})`, ...found }
    progress.entries += 1
    reach(Date.parse(recorded.timestamp))
  }
}

/** What the tape has, and the replay did not come to. */
export function missing({ expected, cut, difference }: Progress): Found | null {
  const [next] = expected
  if (difference !== null || cut || next === undefined) return difference
  return {
    at: phrase`step ${next.id} (${next.type})`,
    path: "",
    recorded: phrase`it is there`,
    replayed: phrase`the session stopped before it`,
  }
}
