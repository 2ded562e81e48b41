import type { PublishedStep } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { type EventOptions, type EventStream, eventStream, publishedOn } from "./event-stream.ts"
import { createLiveState } from "./live-state.ts"

export type Listener = (step: PublishedStep) => void

export interface SubscribeOptions {
  /** Default true. Without a subscriber that wants partials, they are not published. */
  readonly partials?: boolean
}

/** Publishes the steps of a session to its subscribers. */
export interface Publication {
  publish(step: PublishedStep): void
  subscribe(listener: Listener, options?: SubscribeOptions): () => void
  events(options: EventOptions): EventStream
  /** Whether there are subscribers, and whether one of them wants partials. */
  readonly hasSubscribers: boolean
  partialsWanted(): boolean
}

/** `contextWindow`: of the model in use, in tokens. */
export function publication({ all, settled }: Pick<Tape, "all" | "settled">, contextWindow: () => number): Publication {
  const listeners = new Map<Listener, boolean>()
  const live = createLiveState()
  const published = publishedOn(all)
  const publish = publisher(listeners, settled, (step) => {
    live.take(step)
    if ("entries" in step) published.take(step.entries)
  })
  let watching = 0
  const subscribe: Publication["subscribe"] = (listener, { partials = true } = {}) => {
    listeners.set(listener, partials)
    if (partials) watching += 1
    return () => {
      if (listeners.delete(listener) && partials) watching -= 1
    }
  }
  const source = {
    history: { all },
    live,
    published: () => published.count,
    contextWindow,
    subscribe: (listener: (step: PublishedStep, published: number) => void, partials: boolean) =>
      subscribe((step) => listener(step, published.count), { partials }),
  }
  return {
    publish,
    subscribe,
    events: (options) => eventStream(source, options),
    get hasSubscribers() {
      return listeners.size > 0
    },
    partialsWanted: () => watching > 0,
  }
}

interface Waiting {
  readonly step: PublishedStep
  /** `open`: not durable yet. `lost`: the disk failed to make it durable. */
  state: "open" | "kept" | "lost"
}

/**
 * Sends every step to every listener in one order, even when a listener causes the next step. Entries are sent when they have
 * settled, and later steps wait for them. Entries that the disk failed to store are never sent; their writer gets the failure.
 */
function publisher(
  listeners: ReadonlyMap<Listener, boolean>,
  settled: () => Promise<void> | null,
  shows: (step: PublishedStep) => void,
): (step: PublishedStep) => void {
  const waiting: Waiting[] = []
  let giving = false

  function give(): void {
    if (giving) return
    giving = true
    for (let next = waiting[0]; next !== undefined && next.state !== "open"; next = waiting[0]) {
      waiting.shift()
      if (next.state === "kept") show(next.step)
    }
    giving = false
  }

  function show(step: PublishedStep): void {
    shows(step)
    // A copy: a subscriber that a listener adds gets this step in its snapshot.
    const now = [...listeners]
    for (const [listener, partials] of now) if (partials || !isPartial(step)) guarded(listener, step)
  }

  return (step) => {
    const open = "entries" in step ? settled() : null
    const last: Waiting = { step, state: open === null ? "kept" : "open" }
    const decided = (state: Waiting["state"]) => (): void => {
      last.state = state
      give()
    }
    open?.then(decided("kept"), decided("lost"))
    waiting.push(last)
    give()
  }
}

function isPartial(step: PublishedStep): boolean {
  return "inside" in step ? isPartial(step.step) : "partial" in step
}

function guarded(listener: Listener, step: PublishedStep): void {
  try {
    listener(step)
  } catch {
    // A listener must not stop the run; a frontend reports its own errors.
  }
}
