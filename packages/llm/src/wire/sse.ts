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
  const decode = pieceDecoder()
  const parser = createParser({
    maxBufferSize: maxEvent,
    onEvent: (event) => onData(event.data),
    onError(error) {
      if (error.type !== "max-buffer-size-exceeded") return
      throw new FailureError(failure("bad-reply", "one event of the stream was larger than 64 MB"))
    },
  })
  return {
    feed: (bytes) => parser.feed(decode(bytes)),
    end: () => parser.feed(`${decode()}\n\n`),
  }
}

/** UTF-8 in pieces; without bytes, what is left of it. The parser takes the mark off that may stand at its beginning. */
function pieceDecoder(): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let cut = false
  return (bytes) => {
    if (bytes === undefined) return decoder.decode()
    const before = cut
    if (bytes.length > 0) cut = (bytes.at(-1) ?? 0) >= 0x80
    // Decoding with a memory costs several times as much; nearly every piece ends at a line's end, and needs none.
    return decoder.decode(bytes, before || cut ? { stream: true } : undefined)
  }
}
