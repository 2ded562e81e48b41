import { type Entry, type EntryOf, phrase, type PublishedStep, type Text } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { entryDifference, isCompared } from "./compare.ts"
import type { Difference } from "./difference.ts"
import type { Segment, RecordedRun } from "./plan.ts"
import type { Exchange } from "./recording.ts"

/** The first difference between a replay and the recording. */
export interface ReplayDifference extends Difference {
  /** `request 7`, `step nh65bacajbbm (message)`. */
  readonly at: Text
}

/** An input of the segment, and its position on the tape. */
export interface PendingInput {
  readonly input: EntryOf<"input">
  readonly position: number
}

/** The progress of the replay of a segment. */
export interface Progress {
  /** The position of an entry on the tape. */
  positionOf(id: string): number
  readonly segment: Segment
  /** Remaining inputs and entries, in order. */
  readonly inputs: PendingInput[]
  readonly expected: Entry[]
  /** Index of the current or next run. */
  at: number
  /** Number of its exchanges that were requested. */
  requested: number
  /** The recording ends here, as its process did. */
  cut: boolean
  requests: number
  entries: number
  difference: ReplayDifference | null
}

export function progressOf({ all, store }: Tape, segment: Segment): Progress {
  const inputs: PendingInput[] = []
  const expected: Entry[] = []
  const last = segment.runs.at(-1)?.last ?? -1
  for (let position = segment.runs[0].first; position <= last; position++) {
    const entry = all.entry(position)
    if (entry.type === "input") inputs.push({ input: entry, position })
    if (isCompared(entry)) expected.push(entry)
  }
  const none = { at: 0, requested: 0, cut: false, requests: 0, entries: 0, difference: null }
  const positionOf = (id: string): number => store.placeOf(id) ?? Infinity
  return { positionOf, segment, inputs, expected, ...none }
}

export function currentRun({ segment, at }: Progress): RecordedRun {
  return segment.runs[at] ?? segment.runs[0]
}

/** The exchange for the next request; null if the recording has none. */
export function nextExchange(progress: Progress): Exchange | null {
  const run = currentRun(progress)
  const exchange = run.exchanges[progress.requested]
  if (exchange === undefined) {
    progress.cut = run.end === null
    if (!progress.cut) progress.difference ??= extraRequest(run)
    return null
  }
  progress.requested += 1
  progress.requests += 1
  return exchange
}

function extraRequest({ exchanges }: RecordedRun): ReplayDifference {
  const last = exchanges.at(-1)?.number ?? 0
  return {
    at: phrase`request ${last + 1}`,
    path: "",
    recorded: phrase`none: the run ended`,
    replayed: phrase`one more request`,
  }
}

/** Compares entries of the replayed session with the tape. */
export function compareStep(progress: Progress, step: PublishedStep, advanceTo: (time: number) => void): void {
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
    advanceTo(Date.parse(recorded.timestamp))
  }
}

/** The first entry that the replay did not reach. */
export function missingEntry({ expected, cut, difference }: Progress): ReplayDifference | null {
  const [next] = expected
  if (difference !== null || cut || next === undefined) return difference
  return {
    at: phrase`step ${next.id} (${next.type})`,
    path: "",
    recorded: phrase`present`,
    replayed: phrase`missing: the session stopped before it`,
  }
}
