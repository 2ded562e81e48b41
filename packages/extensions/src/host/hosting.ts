import type { Clock } from "@gong/spec"
import { failedGate, mentionsGate } from "../failed-gate.ts"
import type { Registrations, Problem, WorkerBegin, WorkerExtension } from "../protocol.ts"
import type { FailedLoad, ThreadEvent } from "../reporter.ts"
import type { Heartbeat } from "./heartbeat.ts"
import type { OpenCalls } from "./open-calls.ts"
import type { OpenThread, Thread } from "./thread.ts"

export interface ExtensionHostDeps {
  readonly clock: Clock
  readonly begin: WorkerBegin
  /** Further extensions, whose load is known to time out. */
  readonly knownTimeouts: readonly KnownTimeout[]
  readonly open: OpenThread
  /** Events that belong to no call. `session`: as in the call during which it came; null if not known. Never throws. */
  notify(event: ThreadEvent, session: number | null): void
}

export interface KnownTimeout {
  readonly extension: WorkerExtension
  /** The problem of the last load. */
  readonly problem: Problem
}

/** The state of a host. */
export interface HostState extends ExtensionHostDeps {
  readonly registrations: Map<number, Registrations>
  readonly off: Set<number>
  readonly calls: OpenCalls
  readonly heartbeat: Heartbeat
  /** Resolves when all were loaded once. */
  readonly first: PromiseWithResolvers<ReadonlyMap<number, Registrations>>
  thread: Thread | null
  /** All extensions in load order; null before `begin`. */
  order: readonly WorkerExtension[] | null
  /** Extensions that the current thread has loaded or failed to load. */
  readonly attempted: Set<number>
  /** Resolves when the current thread accepts calls of an extension, or never will. */
  readonly callable: Map<number, PromiseWithResolvers<void>>
  /** The extension responsible if the thread exits now. */
  exiting: number | null
  exits: number
  ended: boolean
}

/** Those that are on, in load order. */
export function remaining({ order, off }: HostState): readonly WorkerExtension[] {
  return (order ?? []).filter(({ id }) => !off.has(id))
}

/** The extension that is being loaded. */
export function loadingOf(state: HostState): number | null {
  return state.thread === null ? null : (remaining(state).find(({ id }) => !state.attempted.has(id))?.id ?? null)
}

export function extensionOf({ begin, knownTimeouts }: HostState, id: number): WorkerExtension | null {
  return [...begin.extensions, ...knownTimeouts.map(({ extension }) => extension)].find((one) => one.id === id) ?? null
}

/** `load`: the outcome of its load; null if it had been loaded. */
export function turnOff(state: HostState, extension: WorkerExtension, problem: Problem, load: FailedLoad | null): void {
  const { id } = extension
  if (state.off.has(id)) return
  state.off.add(id)
  // Its registrations are unknown, but it may contain a gate.
  if (!state.registrations.has(id) && mentionsGate(extension.path)) state.registrations.set(id, failedGate)
  const gate = state.registrations.get(id)?.hooks.some(({ callbacks }) => callbacks.includes("beforeToolCall")) === true
  state.notify({ kind: "off", extension, problem, gate, load }, null)
}
