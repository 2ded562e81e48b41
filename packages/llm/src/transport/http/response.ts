import { createChunkFraming } from "./chunked.ts"
import { readHeader } from "./header.ts"
import { HttpError } from "./http-error.ts"

/** The status line and headers of a response. */
export interface ResponseHead {
  readonly status: number
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
}

/** Parses one HTTP/1 response (RFC 9112), fed in arbitrary pieces. Strict: ambiguous framing is an error. */
export interface ResponseReader {
  /**
   * Takes the next bytes and returns the body data in them, compacted in the same memory. Throws HttpError for an invalid
   * response.
   */
  feed(bytes: Buffer): Uint8Array
  /** The connection ended. Throws HttpError if the response is incomplete. */
  close(): void
  /** Null before it is complete. */
  head(): ResponseHead | null
  done(): boolean
  /** Whether the connection can be reused after this response. */
  reusable(): boolean
}

/** Bytes of all headers together, like Node's own limit. */
const maxHead = 16 * 1024
/** Bytes of all interim responses (100 Continue, 103 Early Hints). */
const maxInterim = 64 * 1024

/** `bodiless`: the response has no body whatever its headers say, as for CONNECT. */
export function createResponseReader({ bodiless = false } = {}): ResponseReader {
  let head: ParsedHead | null = null
  /** The head so far. */
  let text = ""
  /** Bytes of interim responses. */
  let interim = 0
  let body: Body | null = null
  /** More data than one response was received. */
  let surplus = false
  let closed = false

  /** Returns where the head ends, or the end of these bytes. */
  function readHead(bytes: Buffer, from: number): number {
    const before = text.length
    // The head usually comes in one piece with the beginning of the body, which is not text yet.
    const whole = before === 0 ? bytes.indexOf("\r\n\r\n", from, "latin1") : -1
    text += bytes.toString("latin1", from, Math.min(whole < 0 ? bytes.length : whole + 4, from + maxHead + 4))
    if (!"HTTP/1.".startsWith(text.slice(0, 7))) throw notHttp(text)
    const end = text.indexOf("\r\n\r\n", Math.max(0, before - 3))
    if ((end < 0 ? text.length : end) > maxHead) throw new HttpError("the headers of the response are too long")
    if (end < 0) return bytes.length
    const parsed = parseHead(text.slice(0, end))
    text = ""
    if (parsed.status === 101) throw new HttpError("the server changed to another protocol")
    if (parsed.status >= 200) {
      head = parsed
      body = bodyOf(parsed, bodiless)
    } else {
      // A status below 200 is interim; the response itself follows.
      interim += end + 4
      if (interim > maxInterim) throw new HttpError("the server announces a response again and again and sends none")
    }
    return from + end + 4 - before
  }

  return {
    feed(bytes) {
      let at = 0
      while (body === null && at < bytes.length) at = readHead(bytes, at)
      if (body === null) return nothing
      const { begin, end, next } = body.read(bytes, at)
      // Only one response was requested.
      surplus ||= next < bytes.length
      return end > begin ? bytes.subarray(begin, end) : nothing
    },
    close() {
      closed = true
      if (body?.done() !== true && body?.untilClose !== true)
        throw new HttpError("the connection was closed", "ECONNRESET")
    },
    head: () => head,
    done: () => body?.done() === true || (closed && body?.untilClose === true),
    reusable: () => head?.keepsAlive === true && body?.done() === true && !surplus && !closed,
  }
}

const nothing = new Uint8Array(0)

interface Body {
  /** Compacts the data from `from` on to between `begin` and `end`; `next` is the unused rest. */
  read(bytes: Buffer, from: number): { readonly begin: number; readonly end: number; readonly next: number }
  done(): boolean
  /** The body ends with the connection. */
  readonly untilClose: boolean
}

/** The length of the body (RFC 9112, 6.3). Throws HttpError if it is ambiguous. */
function bodyOf({ status, headers }: ResponseHead, bodiless: boolean): Body {
  if (bodiless || status === 204 || status === 304) return sizedBody(0)
  const { "transfer-encoding": coding, "content-length": length } = headers
  if (coding !== undefined) {
    if (length !== undefined) throw new HttpError("the response has a length and comes in chunks")
    if (coding.toLowerCase() !== "chunked") throw new HttpError(`the response is transferred as ${shown(coding)}`)
    return chunkedBody()
  }
  if (length === undefined) return { ...sizedBody(Infinity), untilClose: true }
  if (!/^\d{1,15}$/.test(length)) throw new HttpError(`the response has no length: ${shown(length)}`)
  return sizedBody(Number(length))
}

function sizedBody(size: number): Body {
  let left = size
  return {
    read(bytes, begin) {
      const end = Math.min(bytes.length, begin + left)
      left -= end - begin
      return { begin, end, next: end }
    },
    done: () => left === 0,
    untilClose: false,
  }
}

function chunkedBody(): Body {
  const framing = createChunkFraming()
  return {
    read(bytes, from) {
      const begin = framing.skip(bytes, from)
      let end = begin
      let next = begin
      while (next < bytes.length && !framing.done()) {
        const taken = framing.take(bytes.length - next)
        // The first piece, usually the only one, is not moved.
        if (end < next) bytes.copyWithin(end, next, next + taken)
        end += taken
        next = framing.skip(bytes, next + taken)
      }
      return { begin, end, next }
    },
    done: framing.done,
    untilClose: false,
  }
}

interface ParsedHead extends ResponseHead {
  /** Whether the server keeps the connection open. */
  readonly keepsAlive: boolean
}

/** Avoids regular expressions where possible: it runs at the beginning of a reply, on an idle processor. */
function parseHead(lines: string): ParsedHead {
  const firstEnd = endOfLine(lines, 0)
  const first = lines.slice(0, firstEnd)
  const [, version, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\0\r\n]*)?$/.exec(first) ?? []
  if (status === undefined) throw notHttp(first)
  const headers: Record<string, string> = Object.create(null)
  for (let at = firstEnd + 2; at <= lines.length;) {
    const end = endOfLine(lines, at)
    addHeader(headers, lines.slice(at, end))
    at = end + 2
  }
  const options = (headers["connection"] ?? "").toLowerCase().split(/[\s,]+/)
  const keepsAlive = version === "1" ? !options.includes("close") : options.includes("keep-alive")
  return { status: Number(status), headers, keepsAlive }
}

function endOfLine(lines: string, from: number): number {
  const end = lines.indexOf("\r\n", from)
  return end < 0 ? lines.length : end
}

function addHeader(headers: Record<string, string>, line: string): void {
  const header = readHeader(line)
  if (header === null) throw new HttpError(`a header cannot be read: ${shown(line)}`)
  const { name, value } = header
  if (!Object.hasOwn(headers, name)) headers[name] = value
  else if (!single.has(name)) headers[name] = `${headers[name]}, ${value}`
}

/** Headers whose repetition is ignored. */
const single = new Set(["content-type", "etag", "last-modified", "location", "retry-after", "server"])

function notHttp(text: string): HttpError {
  return new HttpError(`the answer is not HTTP: ${shown(text)}`)
}

/** Untrusted text for an error of one line. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60))
}
