import type { Branch, Tape } from "@gong/tape"
import type { Entry, EntryOf } from "@gong/spec"
import type { Exchange } from "./recording.ts"

/** One run as the tape shows it: from what was written before its prompt to its end. */
export interface RecordedRun {
  /** Places on the tape: of its first entry, of its prompt, and of the last entry that may be its own. */
  readonly first: number
  readonly prompt: number
  readonly last: number
  /** Null: its process ended in the middle of it. */
  readonly end: EntryOf<"run_end"> | null
  readonly exchanges: readonly Exchange[]
}

/** Runs of one process, set up in one way, with nothing between them that one session would not do again by itself. */
export interface Segment {
  readonly runs: readonly [RecordedRun, ...RecordedRun[]]
}

export interface Plan {
  readonly segments: readonly Segment[]
  /** Runs of which nothing was recorded, and requests that belong to no run: compactions that the user wanted. */
  readonly skipped: { readonly runs: number; readonly requests: number }
}

/** What of a tape can be replayed with these exchanges. */
export function planOf(tape: Tape, exchanges: readonly Exchange[]): Plan {
  const found = runsIn(tape.all)
  const placed = exchanges.map((exchange) => ({ exchange, place: tape.store.placeOf(exchange.began) ?? -1 }))
  const runs = found.map((run) => ({
    ...run,
    exchanges: placed.flatMap(({ exchange, place }) => (place >= run.prompt && place <= run.last ? exchange : [])),
  }))
  const replayed = runs.filter((run) => run.exchanges.length > 0)
  const taken = replayed.reduce((sum, run) => sum + run.exchanges.length, 0)
  return {
    segments: segmentsOf(tape.all, replayed),
    skipped: { runs: runs.length - replayed.length, requests: exchanges.length - taken },
  }
}

function runsIn(all: Branch): readonly Omit<RecordedRun, "exchanges">[] {
  const runs: { first: number; prompt: number; last: number; end: EntryOf<"run_end"> | null }[] = []
  let open = false
  for (let place = 0; place < all.length; place++) {
    const entry = all.entry(place)
    if (entry.type === "input" && entry.kind === "prompt") {
      runs.push({ first: firstOf(all, place, runs.at(-1)), prompt: place, last: place, end: null })
      open = true
      continue
    }
    const run = runs.at(-1)
    if (!open || run === undefined) continue
    run.last = place
    if (entry.type !== "run_end") continue
    run.end = entry
    place = run.last = backTo(all, run, place)
    open = false
  }
  for (const [at, run] of runs.entries()) run.last = Math.min(run.last, (runs[at + 1]?.first ?? Infinity) - 1)
  return runs
}

/** After a run that went on with another model, what says that the chosen one holds again. */
function backTo(all: Branch, { prompt }: { readonly prompt: number }, end: number): number {
  let fellBack = false
  for (let place = prompt; place < end; place++) fellBack ||= isFallback(all.entry(place))
  if (!fellBack) return end
  const types = [1, 2].map((after) => (end + after < all.length ? all.head(end + after).type : ""))
  if (types[0] === "model_change") return types[1] === "thinking_level_change" ? end + 2 : end + 1
  return types[0] === "thinking_level_change" ? end + 1 : end
}

export function isFallback(entry: Entry): entry is EntryOf<"model_change"> {
  return entry.type === "model_change" && entry.reason === "fallback"
}

/** A run writes its prompt behind what goes with it; what a run before it wrote at its end is not that. */
function firstOf(
  all: Branch,
  prompt: number,
  before: Pick<RecordedRun, "prompt" | "last" | "end"> | undefined,
): number {
  const least = before === undefined ? 0 : 1 + (before.end === null ? before.prompt : before.last)
  let first = prompt
  while (first > least && goesBefore(all.entry(first - 1))) first -= 1
  return first
}

function goesBefore(entry: Entry): boolean {
  if (entry.type === "custom_message") return entry.customType.startsWith("hook.")
  return entry.type === "prompt" || choosesModel(entry)
}

function segmentsOf(all: Branch, runs: readonly RecordedRun[]): readonly Segment[] {
  const segments: [RecordedRun, ...RecordedRun[]][] = []
  for (const run of runs) {
    const last = segments.at(-1)
    if (last && goesOn(all, last.at(-1), run)) last.push(run)
    else segments.push([run])
  }
  return segments.map((segment) => ({ runs: segment }))
}

function goesOn(all: Branch, before: RecordedRun | undefined, run: RecordedRun): boolean {
  if (before === undefined || before.end === null) return false
  if (before.exchanges[0]?.set !== run.exchanges[0]?.set) return false
  for (let place = run.first; place < run.prompt; place++) if (choosesModel(all.entry(place))) return false
  for (let place = before.last + 1; place < run.first; place++) if (!isNeutral(all.entry(place))) return false
  return true
}

function choosesModel({ type }: Entry): boolean {
  return type === "model_change" || type === "thinking_level_change"
}

/** Says nothing to the model, or is an input that a session takes again. */
function isNeutral({ type }: Entry): boolean {
  return type === "input" || isAside(type)
}

/** What others write into a session, and no request shows. */
export function isAside(type: Entry["type"]): boolean {
  return type === "label" || type === "session_info" || type === "custom"
}
