import type { Clock } from "@gong/spec"
import { failedGate, mentionsGate } from "../failed-gate.ts"
import type { Offers, Problem, WorkerBegin, WorkerExtension } from "../protocol.ts"
import type { FailedLoad, ThreadEvent } from "../reporter.ts"
import type { Heartbeat } from "./heartbeat.ts"
import type { OpenCalls } from "./open-calls.ts"
import type { OpenThread, Thread } from "./thread.ts"

export interface ExtensionHostDeps {
  readonly clock: Clock
  readonly begin: WorkerBegin
  /** Further extensions, whose load is known to time out. */
  readonly asleep: readonly Asleep[]
  readonly open: OpenThread
  /** Events that belong to no call. `session`: as in the call during which it came; null if not known. Never throws. */
  notify(news: ThreadEvent, session: number | null): void
}

export interface Asleep {
  readonly extension: WorkerExtension
  /** The problem of the last load. */
  readonly problem: Problem
}

/** The state of a host. */
export interface Hosting extends ExtensionHostDeps {
  readonly offers: Map<number, Offers>
  readonly off: Set<number>
  readonly calls: OpenCalls
  readonly beat: Heartbeat
  /** Resolves when all were loaded once. */
  readonly first: PromiseWithResolvers<ReadonlyMap<number, Offers>>
  thread: Thread | null
  /** All extensions in load order; null before `begin`. */
  order: readonly WorkerExtension[] | null
  /** Extensions that the current thread has loaded or failed to load. */
  readonly tried: Set<number>
  /** Resolves when the current thread accepts calls of an extension, or never will. */
  readonly callable: Map<number, PromiseWithResolvers<void>>
  /** The extension responsible if the thread exits now. */
  leaving: number | null
  ends: number
  ended: boolean
}

/** Those that are on, in load order. */
export function remaining({ order, off }: Hosting): readonly WorkerExtension[] {
  return (order ?? []).filter(({ id }) => !off.has(id))
}

/** The extension that is being loaded. */
export function loadingOf(at: Hosting): number | null {
  return at.thread === null ? null : (remaining(at).find(({ id }) => !at.tried.has(id))?.id ?? null)
}

export function extensionOf({ begin, asleep }: Hosting, id: number): WorkerExtension | null {
  return [...begin.extensions, ...asleep.map(({ extension }) => extension)].find((one) => one.id === id) ?? null
}

/** `load`: the outcome of its load; null if it had been loaded. */
export function turnOff(at: Hosting, extension: WorkerExtension, problem: Problem, load: FailedLoad | null): void {
  const { id } = extension
  if (at.off.has(id)) return
  at.off.add(id)
  // Its registrations are unknown, but it may contain a gate.
  if (!at.offers.has(id) && mentionsGate(extension.path)) at.offers.set(id, failedGate)
  const gate = at.offers.get(id)?.hooks.some(({ callbacks }) => callbacks.includes("beforeToolCall")) === true
  at.notify({ kind: "off", extension, problem, gate, load }, null)
}
