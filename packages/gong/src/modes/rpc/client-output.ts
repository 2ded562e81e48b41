import type { Event } from "@gong/spec"
import { type Line, lineWriter } from "../event-lines.ts"

/** A stream to a client that accepts everything and reports how much of it is buffered. */
export interface ClientStream {
  out(text: string): void
  /** Bytes. */
  readonly buffered: number
  /** Resolves when everything was read, or when the client has gone. */
  flush(): Promise<void>
}

/** Numbered lines to a client, in one order. */
export interface ClientOutput {
  line(line: Line | Event): void
  /** Too much is buffered: events and commands wait for `drained`. */
  readonly full: boolean
  /** Resolves when the client has read enough for more. */
  drained(): Promise<void>
}

/** Buffered bytes above which no event is written and no command is read. */
const maxBuffered = 1024 * 1024

export function clientOutput(stream: ClientStream, now: () => number): ClientOutput {
  const isFull = (): boolean => stream.buffered > maxBuffered
  return {
    line: lineWriter((text) => stream.out(text), now),
    get full() {
      return isFull()
    },
    async drained() {
      while (isFull()) await stream.flush()
    },
  }
}
