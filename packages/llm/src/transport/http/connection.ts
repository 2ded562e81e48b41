import type { Socket } from "node:net"
import { type Chunks, createChunks } from "../chunks.ts"
import type { RawConnection } from "./connect.ts"
import { HttpError } from "./http-error.ts"
import { createResponseReader, type ResponseHead } from "./response.ts"

export interface Response extends ResponseHead {
  /** Leaving it early closes the connection. */
  readonly body: AsyncIterableIterator<Uint8Array>
}

export interface SentRequest {
  readonly head: string
  /** Sent one after the other, never joined. */
  readonly body: readonly Uint8Array[]
  readonly signal: AbortSignal
  /** Whether somebody looks at the body as it comes. */
  watched(): boolean
  /** What is thrown for what broke the connection, for the signal's reason or an HttpError. */
  thrown(error: Error): Error
}

/** The server had closed a connection before it was used again, and nothing came of the request: another one will do. */
export class StaleConnection extends Error {
  override name = "StaleConnection"
}

/** A connection to a server of HTTP/1.1, on which requests go one after the other. */
export interface Connection {
  /** Throws what `thrown` says, or StaleConnection. */
  send(request: SentRequest): Promise<Response>
  /** Whether a request may be sent now. */
  readonly usable: boolean
  close(): void
}

/** `onIdle` is called each time a response has come whole and another request may be sent. */
export function openConnection(
  { socket, listen }: RawConnection,
  onIdle: (connection: Connection) => void,
): Connection {
  let current: Exchange | null = null
  let used = false
  /** By the server's own word, in milliseconds of `performance.now()`: it closes the connection soon after. */
  let usableUntil = Infinity
  const connection: Connection = {
    get usable() {
      return current === null && !socket.destroyed && socket.writable && performance.now() < usableUntil
    },
    send(request) {
      socket.ref()
      const { exchange, answer } = openExchange(socket, request, used, (kept) => {
        current = null
        if (kept === null) return void socket.destroy()
        usableUntil = performance.now() + keptFor(kept)
        // A connection that waits for its next request keeps no program running.
        socket.unref()
        onIdle(connection)
      })
      current = exchange
      used = true
      if (request.signal.aborted) exchange.stop()
      else write(socket, request)
      return answer
    },
    close: () => socket.destroy(),
  }
  // What comes without having been asked for belongs to no request.
  listen((bytes) => (current === null ? socket.destroy() : current.take(bytes)))
  socket.on("end", () => current?.end())
  socket.on("error", (error) => current?.fail(error))
  socket.on("close", () => current?.fail(new HttpError("the connection was closed", "ECONNRESET")))
  return connection
}

function write(socket: Socket, { head, body }: SentRequest): void {
  socket.cork()
  socket.write(head, "latin1")
  for (const bytes of body) socket.write(bytes)
  socket.uncork()
}

/** Milliseconds; one second less than the server says, so that it is not used while the server closes it. */
function keptFor({ headers }: ResponseHead): number {
  const [, seconds] = /\btimeout=(\d{1,6})\b/.exec(headers["keep-alive"] ?? "") ?? []
  return seconds === undefined ? Infinity : Number(seconds) * 1000 - 1000
}

/** One request and its response. */
interface Exchange {
  take(bytes: Buffer): void
  /** The server sends no more. */
  end(): void
  fail(error: Error): void
  /** Whoever asked does not want it any more. */
  stop(): void
}

/** `onOver` is called once, with the head of the response when the connection may be used again. */
function openExchange(
  socket: Socket,
  { signal, watched, thrown }: SentRequest,
  again: boolean,
  onOver: (kept: ResponseHead | null) => void,
): { readonly exchange: Exchange; readonly answer: Promise<Response> } {
  const reader = createResponseReader()
  const { promise: answer, resolve, reject } = Promise.withResolvers<Response>()
  let heard = false
  let over = false
  let chunks: Chunks | null = null

  const finish = (kept: ResponseHead | null): void => {
    over = true
    signal.removeEventListener("abort", stop)
    onOver(kept)
  }
  const fail = (error: Error): void => {
    if (over) return
    finish(null)
    if (chunks !== null) chunks.fail(thrown(error))
    else reject(again && !heard && !signal.aborted ? new StaleConnection(error.message) : thrown(error))
  }
  const stop = (): void => fail(signal.reason as Error)
  const guarded = (read: () => void): void => {
    try {
      read()
    } catch (error) {
      fail(error as Error)
    }
  }
  const advance = (body: Uint8Array): void => {
    const { head } = reader
    if (head === null) return
    if (chunks === null) {
      chunks = createChunks({
        watched,
        pause: () => over || socket.pause(),
        resume: () => over || socket.resume(),
        leave: () => over || finish(null),
      })
      resolve({ ...head, body: chunks.body })
    }
    if (body.length > 0) chunks.push(body)
    if (!reader.done) return
    socket.resume()
    // A server may answer before it has read the request; what is left of that would be taken for the next one.
    finish(reader.reusable && socket.writableLength === 0 ? head : null)
    chunks.end()
  }
  signal.addEventListener("abort", stop, { once: true })
  const exchange: Exchange = {
    take(bytes) {
      heard = true
      guarded(() => advance(reader.feed(bytes)))
    },
    end: () =>
      guarded(() => {
        if (over) return
        reader.close()
        advance(nothing)
      }),
    fail,
    stop,
  }
  return { exchange, answer }
}

const nothing = new Uint8Array(0)
