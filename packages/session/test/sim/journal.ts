import type { Entry } from "@gong/spec"
import { holds, same, type Violation } from "./violation.ts"

/** Guarantees to the outside: every shown entry, with its durability. */
export interface Journal {
  /** Entries were shown. */
  published(entries: readonly Entry[], state: Shown): void
  /** No sync is pending: waiting entries now have their intended durability. */
  settled(): void
  isDurable(entryId: string): boolean
  startOf(callId: string): string | undefined
  /** Checks that all acknowledged entries are present, unchanged and in order. Throws a `Violation`. */
  verify(found: readonly Entry[], powerCut: boolean): void
  /** The same for a process that resumes: from here on the entries it found are guaranteed. */
  check(found: readonly Entry[], powerCut: boolean): void
}

/** How sure entries are when they are shown. */
export interface Shown {
  /** No sync is pending. */
  readonly written: boolean
  /** No sync is under way that they may need. */
  readonly settled: boolean
  /** They were promised to survive a power cut. */
  readonly synced: boolean
}

export type { Violation }

/** From nothing promised to everything: a write survives the process, a sync the power cut. */
const levels = { none: 0, process: 1, power: 2 } as const
type Level = keyof typeof levels

export function journal(): Journal {
  const promised = new Map<string, { readonly text: string; level: Level }>()
  /** Shown while they waited for the disk. */
  const waiting = new Map<string, Level>()
  const starts = new Map<string, string>()
  /** A sync makes everything before it in the file durable. */
  const raise = (to: Level): void => {
    for (const entry of promised.values()) {
      if (levels[entry.level] < levels[to]) entry.level = to
    }
  }
  const settled = (): void => {
    for (const [id, level] of waiting) {
      const entry = promised.get(id)
      if (entry !== undefined && levels[entry.level] < levels[level]) entry.level = level
    }
    waiting.clear()
  }
  return {
    published(entries, shown) {
      for (const entry of entries) {
        if (!promised.has(entry.id)) promised.set(entry.id, { text: textOf(entry), level: "none" })
        if (entry.type === "tool_start") starts.set(entry.callId, entry.id)
      }
      const level = shown.synced ? "power" : "process"
      for (const { id } of entries) waiting.set(id, level)
      if (!shown.written) return
      raise("process")
      if (!shown.settled) return
      settled()
      raise(level)
    },
    settled,
    isDurable: (id) => promised.get(id)?.level === "power",
    startOf: (callId) => starts.get(callId),
    verify,
    check(found, powerCut) {
      verify(found, powerCut)
      const levelOf = (id: string): Level => (powerCut ? "power" : (promised.get(id)?.level ?? "process"))
      const kept = found.map((entry) => [entry.id, { text: textOf(entry), level: levelOf(entry.id) }] as const)
      promised.clear()
      waiting.clear()
      for (const [id, promise] of kept) promised.set(id, promise)
      raise("process")
    },
  }

  function verify(found: readonly Entry[], powerCut: boolean): void {
    const order: string[] = []
    const texts = new Map(found.map((entry) => [entry.id, textOf(entry)]))
    for (const [id, { text, level }] of promised) {
      const survives = powerCut ? level === "power" : level !== "none"
      holds(!survives || texts.has(id), () => `after ${powerCut ? "a power cut" : "a kill"} this was lost: ${text}`)
      const back = texts.get(id)
      if (back === undefined) continue
      // Without a guarantee the previous entry may be lost; then the parent is an earlier entry.
      if (survives) same(back, text, "an entry came back changed")
      else same(withoutParent(back), withoutParent(text), "an entry came back changed")
      order.push(id)
    }
    same(
      order,
      found.flatMap(({ id }) => (promised.has(id) ? [id] : [])),
      "the order of entries",
    )
  }
}

function withoutParent(text: string): unknown {
  return { ...(JSON.parse(text) as Entry), parentId: null }
}

const texts = new WeakMap<Entry, string>()

/** An entry as JSON. Entries are frozen: the same one has the same text whenever it is looked at. */
export function textOf(entry: Entry): string {
  let text = texts.get(entry)
  if (text === undefined) texts.set(entry, (text = JSON.stringify(entry)))
  return text
}
