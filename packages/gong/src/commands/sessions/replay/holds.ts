import type { Exchange } from "./recording.ts"

/** Something that a replayed session waits for; it goes on when the replay lets it. */
export type Held =
  | { readonly kind: "request"; readonly exchange: Exchange; go(): void }
  /** All bytes have come, and in the recording the line stayed open: only a stop or time ends it. */
  | { readonly kind: "open-line" }
  /** A call that is to be judged. */
  | { readonly kind: "judged"; readonly callId: string; go(): void }
  /** A call that runs. */
  | { readonly kind: "running"; readonly callId: string; go(): void }

export interface Holds {
  readonly held: ReadonlySet<Held>
  /** Until it is let go. */
  hold(what: Hold): Promise<void>
  /** From now on; the returned function ends it. */
  keep(what: Held): () => void
}

type Hold = Exclude<Held, { kind: "open-line" }> extends infer H ? (H extends Held ? Omit<H, "go"> : never) : never

export function createHolds(): Holds {
  const held = new Set<Held>()
  const keep = (what: Held): (() => void) => {
    held.add(what)
    return () => held.delete(what)
  }
  return {
    held,
    keep,
    hold(what) {
      return new Promise((resolve) => {
        const one = {
          ...what,
          go() {
            held.delete(one)
            resolve()
          },
        } as Held
        held.add(one)
      })
    },
  }
}
