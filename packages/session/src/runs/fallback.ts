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

/** A model that is used when the ones before it fail; opened when it is needed. */
export interface Fallback {
  readonly thinking: ThinkingLevel
  open(): Promise<Provider>
}

/** The change to a fallback: its entries, and what the user is shown. */
export interface FallbackChange {
  readonly entries: readonly NewEntry[]
  readonly notification: Notification
}

/** The models of one run. It begins with the selection of the session, continues with fallbacks, and never goes back. */
export interface RunModels {
  readonly current: ModelSelection
  /** Changes to the next fallback. Null: every model would fail in the same way, or no fallback is left. */
  next(failure: Failure): Promise<FallbackChange | null>
  /** The entries of a change from the current selection to this one; none when they are the same. */
  changesTo(selection: ModelSelection): readonly NewEntry[]
}

export function runModels(selected: ModelSelection, fallbacks: readonly Fallback[]): RunModels {
  let current = selected
  const left = [...fallbacks]
  return {
    get current() {
      return current
    },
    async next(failure) {
      const fallback = fallbackKinds.has(failure.kind) ? left.shift() : undefined
      if (fallback === undefined) return null
      const before = current
      current = { provider: await fallback.open(), thinking: fallback.thinking }
      return changeOf(before, current, failure)
    },
    changesTo: (selection) => changeEntries(current, selection),
  }
}

/** One model without fallbacks. */
export function onlyModel(current: ModelSelection): Pick<RunModels, "current" | "next"> {
  return { current, next: async () => null }
}

/** Failures that another provider may not have. A prompt that is too long, a refusal and an abort are not among them. */
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
