import type { Socket } from "node:net"
import type { OpenedConnection, Target, FailedConnection } from "../ports.ts"
import { readPrefix } from "./relay.ts"
import { HEAD_MAX_BYTES, type HeadRead, readRequestHead, type RequestHead } from "./request-head.ts"

export interface HttpService {
  reach(target: Target): Promise<OpenedConnection | FailedConnection>
  /** For clients that use the gateway as a proxy: permits other ports and CONNECT. Null for direct clients. */
  readonly proxy: Tunnels | null
}

export interface Tunnels {
  /** The reason for a refusal; null if permitted. */
  admit(target: Target): Promise<string | null>
  tunnel(client: Socket, target: Target): Promise<void>
}

const beginning = { maxBytes: HEAD_MAX_BYTES + 4, maxMs: 10_000 }

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  405: "Method Not Allowed",
  411: "Length Required",
  431: "Request Header Fields Too Large",
}

/**
 * Serves a single plain HTTP request: forwards it to its host, with a body of the declared length. Later bytes cannot
 * be taken for a request to another host.
 */
export async function serveHttp(client: Socket, service: HttpService): Promise<void> {
  const begun = await readPrefix(client, headOrMore, beginning)
  if (begun === null) return void client.destroy()
  const { made, bytes } = begun
  if (made.read === "bad") return refuse(client, made.status, "The request cannot be read.")
  const { head } = made
  const rest = bytes.subarray(head.end)
  if (head.method === "CONNECT") return connectTo(client, head, rest, service)
  if (service.proxy === null && head.port !== 80) return refuse(client, 403, "Only port 80 is served here.")
  const reached = await service.reach(head)
  if ("why" in reached) return refuse(client, 403, reached.why)
  const { socket, proxy } = reached
  socket.write(headFor(head, proxy), "latin1")
  passBody(client, socket, rest, head.length)
  await answer(client, socket)
}

function headOrMore(bytes: Buffer): Exclude<HeadRead, { read: "more" }> | "more" {
  const read = readRequestHead(bytes)
  return read.read === "more" ? "more" : read
}

async function connectTo(client: Socket, head: RequestHead, rest: Buffer, { proxy }: HttpService): Promise<void> {
  // Data sent before the response has no recipient.
  if (proxy === null || rest.length > 0) return refuse(client, 405, "CONNECT is not served here.")
  const why = await proxy.admit(head)
  if (why !== null) return refuse(client, 403, why)
  client.write("HTTP/1.1 200 Connection established\r\n\r\n")
  await proxy.tunnel(client, head)
}

function headFor({ method, host, port, path, headers }: RequestHead, proxy: readonly string[] | null): string {
  const place = port === 80 ? host : `${host}:${port}`
  const target = proxy === null ? path : `http://${place}${path === "*" ? "" : path}`
  const all = [`${method} ${target} HTTP/1.1`, `Host: ${place}`, ...headers, ...(proxy ?? []), "Connection: close"]
  return `${all.join("\r\n")}\r\n\r\n`
}

/** Forwards no more than the body. */
function passBody(client: Socket, server: Socket, first: Buffer, length: number): void {
  let left = length
  const pass = (bytes: Buffer): void => {
    const wanted = bytes.subarray(0, left)
    left -= wanted.length
    if (wanted.length > 0 && !server.write(wanted)) {
      client.pause()
      server.once("drain", () => client.resume())
    }
  }
  pass(first)
  client.on("data", pass)
  client.resume()
}

/** Relays the response until the server closes. A client that disconnects ends it. */
function answer(client: Socket, server: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.on("error", () => client.destroy())
  client.on("error", () => server.destroy())
  client.on("close", () => server.destroy())
  server.on("close", () => resolve())
  server.pipe(client)
  return promise
}

function refuse(client: Socket, status: number, why: string): void {
  const body = `${why}\n`
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? "Refused"}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ]
  client.resume()
  client.end(`${head.join("\r\n")}\r\n\r\n${body}`)
}
