import type { Event } from "@gong/spec"
import { type Line, lineWriter } from "../event-lines.ts"

/** Where lines go: a stream that takes as much as it is given and says how much of it nobody has read. */
export interface Reader {
  out(text: string): void
  /** Bytes. */
  readonly unsent: number
  /** Resolves when everything has been read, or when nobody reads any more. */
  flush(): Promise<void>
}

/** Towards the client: its lines in one order, numbered. */
export interface Outlet {
  line(line: Line | Event): void
  /** More has been written than the client has read: what can wait waits for `room`. */
  readonly full: boolean
  /** Resolves when the client has read enough for more. */
  room(): Promise<void>
}

/** Bytes that wait for the client before no event is written and no command is taken. */
const maxUnread = 1024 * 1024

export function outletTo(reader: Reader, now: () => number): Outlet {
  const isFull = (): boolean => reader.unsent > maxUnread
  return {
    line: lineWriter((text) => reader.out(text), now),
    get full() {
      return isFull()
    },
    async room() {
      while (isFull()) await reader.flush()
    },
  }
}
