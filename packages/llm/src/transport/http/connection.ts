import type { Socket } from "node:net"
import { type Chunks, createChunks } from "../chunks.ts"
import type { RawConnection } from "./connect.ts"
import { HttpError } from "./http-error.ts"
import { createResponseReader, type ResponseHead } from "./response.ts"

export interface Response extends ResponseHead {
  /** An early return closes the connection. */
  readonly body: AsyncIterableIterator<Uint8Array>
}

export interface SentRequest {
  readonly head: string
  /** Sent one after the other, without copying. */
  readonly body: readonly Uint8Array[]
  readonly signal: AbortSignal
  /** Whether somebody reads the body live. */
  watched(): boolean
  /** Maps a connection error, the signal's reason or an HttpError to the thrown error. */
  thrown(error: Error): Error
}

/** A kept-alive connection was closed by the server before its reuse, and there was no response: retry on a new one. */
export class StaleConnection extends Error {
  override name = "StaleConnection"
}

/** An HTTP/1.1 connection that sends requests one after the other. */
export interface Connection {
  /** Throws the result of `thrown`, or StaleConnection. */
  send(request: SentRequest): Promise<Response>
  /** Whether a request can be sent now. */
  readonly usable: boolean
  close(): void
}

/** `onIdle` is called after each complete response, when the connection can be reused. */
export function openConnection(
  { socket, listen }: RawConnection,
  onIdle: (connection: Connection) => void,
): Connection {
  let current: Exchange | null = null
  let used = false
  /** Keep-alive limit announced by the server, in milliseconds of `performance.now()`. */
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
        usableUntil = performance.now() + keepAliveMs(kept)
        // An idle connection does not keep the process alive.
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
  // Unsolicited data belongs to no request.
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

/** Milliseconds; one second less than the server announces, so that it is not used while the server closes it. */
function keepAliveMs({ headers }: ResponseHead): number {
  const [, seconds] = /\btimeout=(\d{1,6})\b/.exec(headers["keep-alive"] ?? "") ?? []
  return seconds === undefined ? Infinity : Number(seconds) * 1000 - 1000
}

/** One request and its response. */
interface Exchange {
  take(bytes: Buffer): void
  /** The server sends no more. */
  end(): void
  fail(error: Error): void
  /** The caller aborted. */
  stop(): void
}

/** `onOver` is called once, with the head of the response if the connection can be reused. */
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
    const head = reader.head()
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
    if (!reader.done()) return
    socket.resume()
    // A server may answer before it has read the request; the rest of that would be read as the next one.
    finish(reader.reusable() && socket.writableLength === 0 ? head : null)
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
