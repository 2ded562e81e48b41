import type { Branch, Tape } from "@gong/tape"
import type { Entry, EntryOf } from "@gong/spec"
import type { Exchange } from "./recording.ts"

/** A run on the tape, with the entries written before its prompt. */
export interface RecordedRun {
  /** Positions on the tape: its first entry, its prompt, and the last entry that may belong to it. */
  readonly first: number
  readonly prompt: number
  readonly last: number
  /** Null if its process ended during the run. */
  readonly end: EntryOf<"run_end"> | null
  readonly exchanges: readonly Exchange[]
}

/** Consecutive runs of one process with the same settings, which one session can repeat. */
export interface Segment {
  readonly runs: readonly [RecordedRun, ...RecordedRun[]]
}

export interface Plan {
  readonly segments: readonly Segment[]
  /** Runs without a recording, and requests outside of runs: compactions by the user. */
  readonly skipped: { readonly runs: number; readonly requests: number }
}

/** The runs of a tape that can be replayed with these exchanges. */
export function planOf(tape: Tape, exchanges: readonly Exchange[]): Plan {
  const found = runsIn(tape.all)
  const located = exchanges.map((exchange) => ({ exchange, position: tape.store.placeOf(exchange.began) ?? -1 }))
  const runs = found.map((run) => ({
    ...run,
    exchanges: located.flatMap(({ exchange, position }) =>
      position >= run.prompt && position <= run.last ? exchange : [],
    ),
  }))
  const replayed = runs.filter((run) => run.exchanges.length > 0)
  const used = replayed.reduce((sum, run) => sum + run.exchanges.length, 0)
  return {
    segments: segmentsOf(tape.all, replayed),
    skipped: { runs: runs.length - replayed.length, requests: exchanges.length - used },
  }
}

function runsIn(all: Branch): readonly Omit<RecordedRun, "exchanges">[] {
  const runs: { first: number; prompt: number; last: number; end: EntryOf<"run_end"> | null }[] = []
  let open = false
  for (let position = 0; position < all.length; position++) {
    const entry = all.entry(position)
    if (entry.type === "input" && entry.kind === "prompt") {
      runs.push({ first: firstOf(all, position, runs.at(-1)), prompt: position, last: position, end: null })
      open = true
      continue
    }
    const run = runs.at(-1)
    if (!open || run === undefined) continue
    run.last = position
    if (entry.type !== "run_end") continue
    run.end = entry
    position = run.last = endWithModelReset(all, run, position)
    open = false
  }
  for (const [at, run] of runs.entries()) run.last = Math.min(run.last, (runs[at + 1]?.first ?? Infinity) - 1)
  return runs
}

/** The end of a run. After a fallback it includes the entries that restore the selected model. */
function endWithModelReset(all: Branch, { prompt }: { readonly prompt: number }, end: number): number {
  let fellBack = false
  for (let position = prompt; position < end; position++) fellBack ||= isFallback(all.entry(position))
  if (!fellBack) return end
  const types = [1, 2].map((after) => (end + after < all.length ? all.head(end + after).type : ""))
  if (types[0] === "model_change") return types[1] === "thinking_level_change" ? end + 2 : end + 1
  return types[0] === "thinking_level_change" ? end + 1 : end
}

export function isFallback(entry: Entry): entry is EntryOf<"model_change"> {
  return entry.type === "model_change" && entry.reason === "fallback"
}

/** The first entry of a run: entries before its prompt that are not the end of the previous run. */
function firstOf(
  all: Branch,
  prompt: number,
  before: Pick<RecordedRun, "prompt" | "last" | "end"> | undefined,
): number {
  const least = before === undefined ? 0 : 1 + (before.end === null ? before.prompt : before.last)
  let first = prompt
  while (first > least && precedesPrompt(all.entry(first - 1))) first -= 1
  return first
}

function precedesPrompt(entry: Entry): boolean {
  if (entry.type === "custom_message") return entry.customType.startsWith("hook.")
  return entry.type === "prompt" || isModelChange(entry)
}

function segmentsOf(all: Branch, runs: readonly RecordedRun[]): readonly Segment[] {
  const segments: [RecordedRun, ...RecordedRun[]][] = []
  for (const run of runs) {
    const last = segments.at(-1)
    if (last && continuesSegment(all, last.at(-1), run)) last.push(run)
    else segments.push([run])
  }
  return segments.map((segment) => ({ runs: segment }))
}

function continuesSegment(all: Branch, before: RecordedRun | undefined, run: RecordedRun): boolean {
  if (before === undefined || before.end === null) return false
  if (before.exchanges[0]?.set !== run.exchanges[0]?.set) return false
  for (let position = run.first; position < run.prompt; position++) if (isModelChange(all.entry(position))) return false
  for (let position = before.last + 1; position < run.first; position++)
    if (!isNeutral(all.entry(position))) return false
  return true
}

function isModelChange({ type }: Entry): boolean {
  return type === "model_change" || type === "thinking_level_change"
}

/** Not in any request, or an input, which the replay submits again. */
function isNeutral({ type }: Entry): boolean {
  return type === "input" || isExternal(type)
}

/** Written from outside of runs, and in no request. */
export function isExternal(type: Entry["type"]): boolean {
  return type === "label" || type === "session_info" || type === "custom"
}
