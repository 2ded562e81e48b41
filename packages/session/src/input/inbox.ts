import type { EntryOf, Inbox, InputKind } from "@gong/spec"

/** The queue of one session: inputs that are on the tape and wait for a run. */
export interface InputQueue extends Inbox {
  put(input: EntryOf<"input">): void
  waiting(kind: InputKind): readonly EntryOf<"input">[]
  /** Removes one input, or with null all of them, except a prompt, whose run has begun. Returns the removed inputs. */
  remove(id: string | null): readonly EntryOf<"input">[]
  readonly size: number
}

/** What a run takes from the queue at once: all inputs of a kind, or the oldest. */
export type QueueMode = "all" | "one"

export interface QueueModes {
  readonly steer: QueueMode
  readonly followUp: QueueMode
}

/** `modes` is called whenever a run takes inputs. */
export function inputQueue(modes: () => QueueModes): InputQueue {
  let inputs: readonly EntryOf<"input">[] = []
  const listeners = new Set<(input: EntryOf<"input">) => void>()
  const waiting = (kind: InputKind): readonly EntryOf<"input">[] => inputs.filter((input) => input.kind === kind)
  return {
    take(kind) {
      const taken = isOne(modes(), kind) ? waiting(kind).slice(0, 1) : waiting(kind)
      if (taken.length > 0) inputs = inputs.filter((input) => !taken.includes(input))
      return taken
    },
    has: (kind) => inputs.some((input) => input.kind === kind),
    onSteer(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    put(input) {
      inputs = [...inputs, input]
      if (input.kind === "steer") for (const listener of listeners) listener(input)
    },
    waiting,
    remove(id) {
      const removed = inputs.filter((input) => input.kind !== "prompt" && (id === null || input.id === id))
      inputs = inputs.filter((input) => !removed.includes(input))
      return removed
    },
    get size() {
      return inputs.length
    },
  }
}

function isOne(modes: QueueModes, kind: InputKind): boolean {
  return (kind === "steer" && modes.steer === "one") || (kind === "follow_up" && modes.followUp === "one")
}
