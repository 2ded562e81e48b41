import type { Message } from "../messages.ts"
import type { Passage, ReaderText } from "./reader.ts"

/** A text that the user reads. */
export interface Reading {
  /** Adds earlier passages. */
  add(passages: readonly Passage[]): void
  readonly isOpen: boolean
  /** Resolves when the user has left it: with one of its own keys, or null. */
  readonly ended: Promise<string | null>
}

export interface Readings {
  open(text: ReaderText): Reading
  /** The reader was left. */
  end(id: number, key: string | null): void
  close(): void
}

/** Opens the reader, and knows when it is left. */
export function createReadings(dispatch: (message: Message, isUrgent: boolean) => void): Readings {
  const open = new Map<number, (key: string | null) => void>()
  let count = 0
  const end = (id: number, key: string | null): void => {
    const resolve = open.get(id)
    open.delete(id)
    resolve?.(key)
  }
  return {
    open(text) {
      const id = ++count
      const { promise, resolve } = Promise.withResolvers<string | null>()
      open.set(id, resolve)
      dispatch({ kind: "read", id, text }, true)
      return {
        ended: promise,
        add: (passages) => dispatch({ kind: "passages", id, passages }, true),
        get isOpen() {
          return open.has(id)
        },
      }
    },
    end,
    close() {
      for (const id of open.keys()) end(id, null)
    },
  }
}
