import {
  clauseOf,
  type Failure,
  type FailureKind,
  messageOf,
  type NewEntry,
  type Notification,
  phrase,
  type Provider,
  textNotification,
  type ThinkingLevel,
} from "@gong/spec"
import type { ModelSelection } from "./model-selection.ts"
import { modelEntries } from "../input/entries.ts"

/** A model that is asked when those before it cannot be; opened when it is needed. */
export interface Fallback {
  readonly thinking: ThinkingLevel
  open(): Promise<Provider>
}

/** What the change to another model is, on the tape and for the user. */
export interface FallbackChange {
  readonly entries: readonly NewEntry[]
  readonly notification: Notification
}

/** The models of one run: it begins with the chosen one, goes on with the next when one fails, and never goes back. */
export interface Candidates {
  /** Null: the failure would be the same everywhere, or nobody is left. */
  next(failure: Failure): Promise<FallbackChange | null>
  /** The run is over: the chosen model holds again, which these entries say where another was asked. */
  end(): readonly NewEntry[]
}

export function candidates(
  selection: { -readonly [K in keyof ModelSelection]: ModelSelection[K] },
  fallbacks: readonly Fallback[],
): Candidates {
  const chosen = { ...selection }
  const waiting = [...fallbacks]
  return {
    async next(failure) {
      const fallback = fallbackKinds.has(failure.kind) ? waiting.shift() : undefined
      if (fallback === undefined) return null
      const before = { ...selection }
      Object.assign(selection, { provider: await fallback.open(), thinking: fallback.thinking })
      return changeOf(before, selection, failure)
    },
    end() {
      const last = { ...selection }
      Object.assign(selection, chosen)
      return changeEntries(last, selection)
    },
  }
}

/** What is wrong with one provider and may be right with another. A prompt that is too long, a refusal and a stop are not. */
const fallbackKinds: ReadonlySet<FailureKind> = new Set([
  "auth",
  "quota",
  "rate-limit",
  "overloaded",
  "network",
  "stalled",
  "bad-reply",
  "bad-request",
])

function changeOf(before: ModelSelection, now: ModelSelection, failure: Failure): FallbackChange {
  const entries = changeEntries(before, now).map((entry): NewEntry =>
    entry.type === "model_change" ? { ...entry, reason: "fallback" } : entry,
  )
  const why = clauseOf(messageOf(failure))
  const text = phrase`${nameOf(before)} cannot be asked (${why}); going on with ${nameOf(now)}`
  return { entries, notification: textNotification("model-choice", "warn", text) }
}

function changeEntries({ provider: { model }, thinking }: ModelSelection, now: ModelSelection): readonly NewEntry[] {
  return modelEntries({ model, thinking }, now)
}

function nameOf({ provider: { model } }: ModelSelection): string {
  return `${model.provider}/${model.id}`
}
