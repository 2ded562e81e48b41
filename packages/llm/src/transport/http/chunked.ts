import { readHeader } from "./header.ts"
import { HttpError } from "./http-error.ts"

/** Chunked framing of a body (RFC 9112, 7.1), fed in arbitrary pieces. */
export interface ChunkFraming {
  /** Reads framing from `from` on; returns where data begins, or the end of these bytes. Throws HttpError for invalid framing. */
  skip(bytes: Uint8Array, from: number): number
  /** How many of the next `count` bytes are data; consumes them. */
  take(count: number): number
  done(): boolean
}

/** Digits of a chunk size: up to 16 TB. */
const maxDigits = 11
/** Bytes of a chunk extension, which is ignored, or of all trailers. */
const maxExtra = 16 * 1024

const CR = 0x0d
const LF = 0x0a

type State =
  | "size"
  | "extension"
  | "size-lf"
  | "data"
  | "data-cr"
  | "data-lf"
  | "trailer"
  | "in-trailer"
  | "last-lf"
  | "done"

/** Byte by byte, since a model's tokens come in small chunks with little framing. */
export function createChunkFraming(): ChunkFraming {
  let state: State = "size"
  let left = 0
  let digits = 0
  let extra = 0
  let trailer = ""

  function size(byte: number): State {
    const digit = hexDigit(byte)
    if (digit >= 0 && digits < maxDigits) {
      digits++
      left = left * 16 + digit
      return "size"
    }
    if (digit >= 0 || digits === 0) throw new HttpError("a chunk of the response has no size")
    if (byte === CR) return "size-lf"
    if (byte === SEMICOLON) return "extension"
    throw new HttpError("a chunk of the response has no size")
  }

  /** Skipped, up to a limit. */
  function extension(byte: number): State {
    if (++extra > maxExtra) throw new HttpError("what stands between the chunks of the response is too long")
    if (byte === LF) throw new HttpError("a line of the response ends without CR LF")
    return byte === CR ? "size-lf" : "extension"
  }

  /** Ignored, but validated: it could be the beginning of another response. */
  function inTrailer(byte: number): State {
    trailer += String.fromCharCode(byte)
    if (++extra > maxExtra) throw new HttpError("what stands between the chunks of the response is too long")
    if (byte !== LF) return "in-trailer"
    checkTrailer(trailer)
    return "trailer"
  }

  function next(byte: number): State {
    switch (state) {
      case "size":
        return size(byte)
      case "extension":
        return extension(byte)
      case "size-lf":
        return expect(byte, LF, left === 0 ? "trailer" : "data")
      case "data-cr":
        return expect(byte, CR, "data-lf")
      case "data-lf":
        digits = 0
        extra = 0
        return expect(byte, LF, "size")
      case "trailer":
        trailer = ""
        return byte === CR ? "last-lf" : inTrailer(byte)
      case "in-trailer":
        return inTrailer(byte)
      case "last-lf":
        return expect(byte, LF, "done")
      case "data":
      case "done":
        return state
    }
  }

  return {
    skip(bytes, from) {
      let at = from
      while (at < bytes.length && state !== "data" && state !== "done") state = next(bytes[at++] ?? 0)
      return at
    },
    take(count) {
      const taken = Math.min(left, count)
      left -= taken
      if (left === 0) state = "data-cr"
      return taken
    },
    done: () => state === "done",
  }
}

/** Headers that are not allowed in a trailer (RFC 9110, 6.5.1). */
const framing = new Set(["content-length", "transfer-encoding"])

function expect(byte: number, wanted: number, next: State): State {
  if (byte !== wanted) throw new HttpError("a chunk of the response does not end where it should")
  return next
}

function checkTrailer(line: string): void {
  const header = readHeader(line.slice(0, -2))
  if (header === null || !line.endsWith("\r\n") || framing.has(header.name))
    throw new HttpError("the end of the response cannot be read")
}

const SEMICOLON = 0x3b

/** -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
