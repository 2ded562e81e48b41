import { type Hook, phrase } from "@gong/spec"
import type { ExtensionHost } from "@gong/extensions/host/host"
import type { Offers } from "@gong/extensions/protocol"
import { systemClock } from "../../ports.ts"

export interface Behind {
  readonly host: ExtensionHost
  /** Resolves when all are there, with the hooks that they have now. */
  settled(): Promise<unknown>
  /** Resolves when those are there for which the first message waits; null: it waits for none. */
  readonly first: (() => Promise<unknown>) | null
  /** Some of them look at events. */
  readonly looks: boolean
}

/** Milliseconds after which a request that was begun is on its way: a thread that begins takes time from who sends. */
const onItsWay = 20
/** Milliseconds in which all are loaded, or were found not to load: each has 5 s. */
const loadTime = 600_000

/**
 * Stands before the hooks of extensions that are loaded behind the first request: has them loaded then, or sooner where they
 * are needed. No call, no end of a run and no other session passes before all are there, with the gates that they have now.
 */
export function behindTheRequest({ host, settled, first, looks }: Behind): Hook {
  const there = async () => {
    host.begin()
    await settled()
    return { answer: "ok" } as const
  }
  return {
    name: "loading extensions",
    timeMs: loadTime,
    // One that throws would pass.
    beforeToolCall: () => there().catch(() => ({ answer: "block", reason: phrase`extensions could not be loaded.` })),
    beforeSessionOp: there,
    beforeStop: there,
    ...(first && { onInput: async () => (await first(), { answer: "passthrough" }) }),
    async watch({ event }) {
      if (event === "llm.start") systemClock.timer(onItsWay, () => host.begin())
      // What waits to be told of the whole session.
      if (event === "session.shutdown" && looks) host.begin()
    },
  }
}

type AllOffers = ReadonlyMap<number, Offers>

/** Those that have a say in the first request. */
export function earlyOf(known: AllOffers): readonly number[] {
  const early = ["onInput", "onBeforeAgent", "onContext"] as const
  const acts = ({ hooks }: Offers): boolean =>
    hooks.some(({ callbacks }) => early.some((one) => callbacks.includes(one)))
  return [...known].flatMap(([id, offers]) => (acts(offers) ? [id] : []))
}

/** Resolves when those are there, and with them all others where one does not bring what it is known for. */
export async function earlyOnes(host: ExtensionHost, known: AllOffers, settled: Behind["settled"]): Promise<void> {
  const early = earlyOf(known)
  const of = (all: AllOffers): AllOffers => new Map([...all].filter(([id]) => early.includes(id)))
  if (!sameOffers(of(await host.loaded(early)), of(known))) await settled()
}

/** In whichever order they were loaded. */
export function sameOffers(one: AllOffers, other: AllOffers): boolean {
  const text = (all: AllOffers): string => JSON.stringify([...all].toSorted(([a], [b]) => a - b))
  return text(one) === text(other)
}
