import { type Entry, type EntryOf, type FailureKind, projection, type PublishedStep } from "@gong/spec"
import type { RareState } from "./counts.ts"
import { nameOfModel } from "./plan.ts"

export interface FallbackWatch {
  /** Texts of violations. */
  seen(step: PublishedStep): readonly string[]
  /** A request is sent to the model at this index of the chain; the text of its violation. */
  request(place: number): readonly string[]
  /** No run works: the chosen model must hold again. */
  rest(): readonly string[]
  /** Another process starts with the chosen model. */
  restart(): void
}

/** Errors of one provider that another provider may not have. */
const elsewhere: ReadonlySet<FailureKind> = new Set([
  "auth",
  "quota",
  "rate-limit",
  "overloaded",
  "network",
  "stalled",
  "bad-reply",
  "bad-request",
])
/** Errors that a retry with the same provider does not change. */
const final: ReadonlySet<FailureKind> = new Set(["auth", "quota"])

/**
 * If a model is unavailable, the run continues with the next of `models`, in order, until its end, and never
 * goes back; the next run begins with the first.
 */
export function fallbackWatch(models: number, count: (state: RareState) => void): FallbackWatch {
  /** Which one is asked. */
  let place = 0
  /** The last failed try of this run. */
  let failed: FailureKind | null = null
  /** Failures in this run that a retry does not change. */
  const gone = new Set<number>()
  /** A run ended with another model than the chosen one, and the tape does not record its return yet. */
  let owing = false
  const live = projection({ partial: false, contextWindow: 0 })

  function changed(entry: EntryOf<"model_change">): readonly string[] {
    const to = placeOf(entry.provider)
    if (entry.reason !== "fallback") {
      const wrong = to !== 0 || (place > 0 && !owing)
      place = to
      owing = false
      return wrong ? [`the model is ${entry.provider} in a run that asked number ${place}`] : []
    }
    const allowed = to === place + 1 && failed !== null && elsewhere.has(failed)
    const wrong = allowed ? [] : [`from model ${place} a run goes on with ${to} after ${failed}`]
    count("fallback asked")
    place = to
    failed = null
    return wrong
  }

  function ended({ status, failure }: EntryOf<"run_end">): readonly string[] {
    const lost = status === "failed" && failure !== undefined && elsewhere.has(failure.kind)
    const wrong =
      lost && place < models - 1 ? [`a run failed (${failure.kind}), and model ${place + 1} was not asked`] : []
    if (lost && place > 0) count("fallbacks used up")
    if (place > 0) owing = true
    failed = null
    gone.clear()
    return wrong
  }

  function entered(entry: Entry): readonly string[] {
    if (entry.type === "model_change") return changed(entry)
    if (entry.type === "run_end") return ended(entry)
    if (entry.type === "model_call" && entry.purpose === "turn") {
      failed = entry.failure?.kind ?? null
      if (failed !== null && final.has(failed)) gone.add(place)
    }
    if (entry.type !== "message" || entry.message.role !== "assistant") return []
    const by = placeOf(entry.message.model.provider)
    return by === place ? [] : [`model ${by} answers in a run that asked model ${place}`]
  }

  return {
    seen(step) {
      if (!("entries" in step)) return []
      const wrong = step.entries.flatMap(entered)
      const reported = live
        .project(step)
        .filter((event) => event.type === "model_select" && event.reason === "fallback")
      const changes = step.entries.filter((entry) => entry.type === "model_change" && entry.reason === "fallback")
      if (reported.length !== changes.length)
        wrong.push(`${changes.length} fallbacks, and ${reported.length} are told of`)
      return wrong
    },
    request(to) {
      if (gone.has(to)) return [`model ${to} is asked after it refused (auth or quota)`]
      return to === place && !owing ? [] : [`model ${to} is asked in a run that has model ${place}`]
    },
    rest: () => (owing || place > 0 ? [`a run is over, and model ${place} still holds`] : []),
    restart() {
      if (place > 0) count("fallback cut by a crash")
      place = 0
      owing = false
      failed = null
      gone.clear()
    },
  }
}

function placeOf(provider: string): number {
  return Number(provider.slice(nameOfModel(0).length) || 0)
}
