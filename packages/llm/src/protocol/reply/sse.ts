import { createParser } from "eventsource-parser"
import { failure, FailureError, phrase } from "@gong/spec"

/** Maximum size of one event in characters; a larger one aborts the stream. */
const maxEvent = 64 * 1024 * 1024

/** Characters kept to find an error message after the last event. */
const maxUnread = 64 * 1024

export interface SseReader {
  /** Calls `onEvent` for each completed event. Chunks may end anywhere, also inside a character. */
  feed(bytes: Uint8Array): void
  /** End of the stream: a last event without its blank line still counts. */
  end(): void
  /** The lines after the last event that are not event fields. */
  unread(): string
}

/** Parses server-sent events into their data and, if present, their name. */
export function readSse(onEvent: (data: string, name: string | undefined) => void): SseReader {
  const decode = pieceDecoder()
  /** The most recent pieces of text, and those before them; older ones were dropped if `cut`. */
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

/** The parser skips lines with unknown fields, which some servers use to explain an error. */
function unreadLines(text: string, cut: boolean): string {
  const lines = text.split(/\r\n|\r|\n/).slice(cut ? 1 : 0)
  const behind = lines.slice(lines.findLastIndex((line) => line.startsWith("data")) + 1)
  return behind.filter((line) => !/^((event|id|retry)?:|$)/.test(line)).join("\n")
}

/** A streaming UTF-8 decoder; without bytes it returns the rest. The parser removes a byte order mark. */
function pieceDecoder(): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let cut = false
  return (bytes) => {
    if (bytes === undefined) return decoder.decode()
    const before = cut
    if (bytes.length > 0) cut = (bytes.at(-1) ?? 0) >= 0x80
    // Decoding with state costs several times as much; nearly every chunk ends at a line end and needs none.
    return decoder.decode(bytes, before || cut ? { stream: true } : undefined)
  }
}
