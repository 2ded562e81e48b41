import { createParser } from "eventsource-parser"
import { failure, FailureError, phrase } from "@gong/spec"

/** No single event is larger than this, in characters; a stream that sends one is cut off. */
const maxEvent = 64 * 1024 * 1024

/** Characters of the text that are kept to find an error in its last lines; no explanation is longer. */
const maxUnread = 64 * 1024

export interface SseReader {
  /** Calls `onEvent` for each event that these bytes complete. Bytes may end anywhere, also inside a character. */
  feed(bytes: Uint8Array): void
  /** The bytes are over: an event whose last empty line is missing still counts. */
  end(): void
  /** The lines behind the last event that are no fields of an event. */
  unread(): string
}

/** Server-sent events as their data and, where an event has one, its name. */
export function readSse(onEvent: (data: string, name: string | undefined) => void): SseReader {
  const decode = pieceDecoder()
  /** The latest pieces of the text, and those before them; what came earlier was dropped where `cut`. */
  let pieces: string[] = []
  let earlier: readonly string[] = []
  let size = 0
  let cut = false
  const parser = createParser({
    maxBufferSize: maxEvent,
    onEvent: (event) => onEvent(event.data, event.event),
    onError(error) {
      if (error.type !== "max-buffer-size-exceeded") return
      throw new FailureError(failure("bad-reply", phrase`one event of the stream was larger than 64 MB`))
    },
  })
  return {
    feed(bytes) {
      const piece = decode(bytes)
      parser.feed(piece)
      size += piece.length
      pieces.push(piece)
      if (size <= maxUnread) return
      cut ||= earlier.length > 0
      earlier = pieces
      pieces = []
      size = 0
    },
    end: () => parser.feed(`${decode()}\n\n`),
    unread: () => unreadLines([...earlier, ...pieces].join(""), cut),
  }
}

/** The parser leaves out lines of other fields without a word, and there some servers explain why they stop. */
function unreadLines(text: string, cut: boolean): string {
  const lines = text.split(/\r\n|\r|\n/).slice(cut ? 1 : 0)
  const behind = lines.slice(lines.findLastIndex((line) => line.startsWith("data")) + 1)
  return behind.filter((line) => !/^((event|id|retry)?:|$)/.test(line)).join("\n")
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
