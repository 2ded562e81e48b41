import type { PublishedStep } from "@gong/spec"

export type Listener = (step: PublishedStep) => void

export interface SubscribeOptions {
  /** Default true. Where nobody wants what is still streaming, it is not carried around. */
  readonly drafts?: boolean
}

/** Gives every step to every listener in one order, also when one of them makes the next step while it looks at this one. */
export function publisher(listeners: ReadonlyMap<Listener, boolean>): (step: PublishedStep) => void {
  const waiting: PublishedStep[] = []
  let giving = false
  return (step) => {
    waiting.push(step)
    if (giving) return
    giving = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      for (const [listener, drafts] of listeners) if (drafts || !isDraft(next)) guarded(listener, next)
    }
    giving = false
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
