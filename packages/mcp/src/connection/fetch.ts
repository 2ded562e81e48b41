import type { FetchLike } from "@modelcontextprotocol/client"
import type { Transport, TransportResponse } from "@gong/spec"
import { limits } from "../definitions/limits.ts"

/** The network of one server. */
export interface ServerNetwork {
  /** To the origin of the server. */
  readonly server: Transport
  /** To other origins, such as that of its authorization server; those on this machine or in private networks may be excluded. */
  readonly elsewhere: Transport
}

/**
 * `fetch` over the transport: with the user's proxies and certificates, without redirects, and with a limit on the size of a
 * message. `headers` are the configured ones, which only the server's origin receives.
 */
export function fetchOver(network: ServerNetwork, server: URL, headers: Readonly<Record<string, string>>): FetchLike {
  return async (url, init = {}) => {
    const target = new URL(url)
    const own = target.origin === server.origin
    const body = init.body ?? null
    if (body !== null && typeof body !== "string" && !(body instanceof URLSearchParams))
      throw new TypeError("the body of a request is text")
    const sent = new Headers(own ? headers : {})
    if (body instanceof URLSearchParams) sent.set("content-type", "application/x-www-form-urlencoded")
    for (const [name, value] of new Headers(init.headers)) sent.set(name, value)
    const response = await (own ? network.server : network.elsewhere).send({
      url: target.href,
      method: methodOf(init.method ?? "GET"),
      headers: Object.fromEntries(sent),
      body: body === null ? [] : [new TextEncoder().encode(body.toString())],
      signal: init.signal ?? new AbortController().signal,
    })
    return responseOf(response)
  }
}

function methodOf(method: string): "GET" | "POST" | "DELETE" {
  if (method === "GET" || method === "POST" || method === "DELETE") return method
  throw new TypeError(`${method} is not sent`)
}

/** Statuses without a body (WHATWG Fetch, 2.2.3). */
const withoutBody = new Set([101, 103, 204, 205, 304])

function responseOf({ status, headers, body }: TransportResponse): Response {
  // They describe the bytes on the wire, which are already unpacked.
  const { "content-encoding": _, "content-length": __, "transfer-encoding": ___, ...rest } = headers
  const init = { status, headers: rest }
  if (!withoutBody.has(status)) return new Response(streamOf(body), init)
  streamOf(body)
    .cancel()
    .catch(() => undefined)
  return new Response(null, init)
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  const size = messageSize()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) return controller.close()
      if (size(value) > limits.message) {
        await pieces.return?.()
        throw new Error(`a message is larger than ${limits.message} bytes`)
      }
      controller.enqueue(Uint8Array.from(value))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

const newline = 10
const carriageReturn = 13

/** Counts bytes since the last blank line, which ends a message of an event stream. JSON of a server has none. */
function messageSize(): (bytes: Uint8Array) => number {
  let length = 0
  let blank = false
  return (bytes) => {
    let from = -1
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) {
      const before = bytes[at - 1] === carriageReturn ? at - 2 : at - 1
      if (before >= 0 ? bytes[before] === newline : blank) from = at
    }
    blank = bytes.at(-1) === newline
    length = from < 0 ? length + bytes.length : bytes.length - from
    return length
  }
}
