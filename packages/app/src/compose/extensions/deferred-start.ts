import { type Hook, phrase } from "@gong/spec"
import type { ExtensionHost } from "@gong/extensions/host/host"
import type { Registrations } from "@gong/extensions/protocol"

export interface DeferredStart {
  readonly host: ExtensionHost
  /** Resolves when all are loaded, and the session has their hooks. */
  settled(): Promise<unknown>
  /** Resolves when the first message may proceed; null: it does not wait. */
  readonly first: (() => Promise<unknown>) | null
  /** Some extensions observe events. */
  readonly observed: boolean
}

/** Milliseconds in which all were loaded or failed: each has 5 s. */
const loadTime = 600_000

/**
 * A hook in front of those of remembered extensions. Their thread starts with the first request, or earlier if it is
 * needed. No tool call, end of a run or other session passes before all are loaded, with the gates they have now.
 */
export function deferredStart({ host, settled, first, observed }: DeferredStart): Hook {
  const loaded = async () => {
    host.begin()
    await settled()
    return { answer: "ok" } as const
  }
  return {
    name: "loading extensions",
    timeMs: loadTime,
    // A hook that throws does not block.
    beforeToolCall: () => loaded().catch(() => ({ answer: "block", reason: phrase`extensions could not be loaded.` })),
    beforeSessionOp: loaded,
    beforeStop: loaded,
    ...(first && { onInput: async () => (await first(), { answer: "passthrough" }) }),
    async watch({ event }) {
      // Events before the start of the thread wait for it, also in a session without a request.
      if (event === "llm.start" || (event === "session.shutdown" && observed)) host.begin()
    },
  }
}

type AllRegistrations = ReadonlyMap<number, Registrations>

/** Extensions with a hook that acts before the first request. */
export function earlyExtensions(known: AllRegistrations): readonly number[] {
  const early = ["onInput", "onBeforeAgent", "onContext"] as const
  const acts = ({ hooks }: Registrations): boolean =>
    hooks.some(({ callbacks }) => early.some((one) => callbacks.includes(one)))
  return [...known].flatMap(([id, registrations]) => (acts(registrations) ? [id] : []))
}

/** Resolves when these are loaded; when all are, if one of these does not register what it is known for. */
export async function loadedEarly(host: ExtensionHost, known: AllRegistrations, settled: () => Promise<unknown>) {
  const early = earlyExtensions(known)
  const of = (all: AllRegistrations): AllRegistrations => new Map([...all].filter(([id]) => early.includes(id)))
  if (!sameRegistrations(of(await host.loaded(early)), of(known))) await settled()
}

/** In any order of loading. */
export function sameRegistrations(one: AllRegistrations, other: AllRegistrations): boolean {
  const text = (all: AllRegistrations): string => JSON.stringify([...all].toSorted(([a], [b]) => a - b))
  return text(one) === text(other)
}
