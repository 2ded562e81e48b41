import { createParser } from "eventsource-parser"
import { failure, FailureError } from "@gong/spec"

/** No single event is larger than this, in characters; a stream that sends one is cut off. */
const maxEvent = 64 * 1024 * 1024

export interface SseReader {
  /** Calls `onData` for each event that these bytes complete. Bytes may end anywhere, also inside a character. */
  feed(bytes: Uint8Array): void
  /** The bytes are over: an event whose last empty line is missing still counts. */
  end(): void
}

/** Server-sent events as their data alone: all wires repeat the event's name inside it. */
export function readSse(onData: (data: string) => void): SseReader {
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: maxEvent,
    onEvent: (event) => onData(event.data),
    onError(error) {
      if (error.type !== "max-buffer-size-exceeded") return
      throw new FailureError(failure("bad-reply", "one event of the stream was larger than 64 MB"))
    },
  })
  return {
    feed: (bytes) => parser.feed(decoder.decode(bytes, { stream: true })),
    end: () => parser.feed(`${decoder.decode()}\n\n`),
  }
}
