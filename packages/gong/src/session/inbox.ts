import type { EntryOf, Inbox, InputKind } from "@gong/spec"

/** The queue of one session: inputs that are on the tape and wait for their turn. */
export interface InputQueue extends Inbox {
  put(input: EntryOf<"input">): void
  waiting(kind: InputKind): readonly EntryOf<"input">[]
  readonly size: number
}

export function inputQueue(): InputQueue {
  let inputs: readonly EntryOf<"input">[] = []
  const listeners = new Set<(input: EntryOf<"input">) => void>()
  const waiting = (kind: InputKind): readonly EntryOf<"input">[] => inputs.filter((input) => input.kind === kind)
  return {
    take(kind) {
      const taken = waiting(kind)
      if (taken.length > 0) inputs = inputs.filter((input) => input.kind !== kind)
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
    get size() {
      return inputs.length
    },
  }
}
