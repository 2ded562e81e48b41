import type { PublishedStep } from "@gong/spec"

export type Listener = (step: PublishedStep) => void

export interface SubscribeOptions {
  /** Default true. Where nobody wants what is still streaming, it is not carried around. */
  readonly drafts?: boolean
}

interface Waiting {
  readonly step: PublishedStep
  /** `open`: what has to be durable is not yet. `lost`: the disk failed at it. */
  state: "open" | "kept" | "lost"
}

/**
 * Gives every step to every listener in one order, also when one of them makes the next step while it looks at this one.
 * Entries are shown when what has to be durable is (`settled`), and what comes behind them waits with them; those that the
 * disk failed at are never shown, and who wrote them hears of the failure.
 */
export function publisher(
  listeners: ReadonlyMap<Listener, boolean>,
  settled: () => Promise<void> | null,
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
    for (const [listener, drafts] of listeners) if (drafts || !isDraft(step)) guarded(listener, step)
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

function isDraft(step: PublishedStep): boolean {
  return "inside" in step ? isDraft(step.step) : "draft" in step
}

function guarded(listener: Listener, step: PublishedStep): void {
  try {
    listener(step)
  } catch {
    // Whoever watches must not be able to stop the run; a surface reports its own troubles.
  }
}
