import type { LookupFunction, Socket } from "node:net"
import type { ConnectionOptions, SecureContext, TLSSocket } from "node:tls"
import type { Proxy } from "../proxy.ts"
import { requestHead } from "./request.ts"
import { createResponseReader } from "./response.ts"

export interface Destination {
  /** Without the brackets of an IPv6 address. */
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly proxy: Proxy | null
  /** Time limit in milliseconds for a connection through the proxy. */
  readonly proxyTime: number
  /** Trusted certificate authorities; undefined: Node's. */
  readonly context: SecureContext | undefined
  /** Resolves names; undefined: the system's resolver. */
  readonly lookup: LookupFunction | undefined
  /** The TLS session to resume. */
  session(): Buffer | undefined
  onSession(session: Buffer): void
}

/** The proxy refused the connection with this status. */
export class ProxyRefusal extends Error {
  override name = "ProxyRefusal"
  readonly status: number

  constructor(status: number) {
    super(`The proxy answered ${status}`)
    this.status = status
  }
}

/** The proxy did not connect within its time limit. */
export class ProxyTimeout extends Error {
  override name = "ProxyTimeout"
  /** The time limit in milliseconds. */
  readonly time: number

  constructor(time: number) {
    super(`The proxy made no connection in ${time} ms`)
    this.time = time
  }
}

/** Milliseconds; disables the library's own timeout, since the signal ends a waiting connection. */
const longestTimer = 2 ** 31 - 1
/** Milliseconds of silence before TCP keep-alive probes. */
const keepAliveDelay = 1000

/** An open connection for requests. */
export interface RawConnection {
  readonly socket: Socket
  /** Receives data in a buffer that is reused afterwards. Data before a listener is set closes the connection. */
  listen(take: (bytes: Buffer) => void): void
}

/** Throws the system's error, ProxyRefusal, ProxyTimeout, or the signal's reason. */
export async function connect(to: Destination, signal: AbortSignal): Promise<RawConnection> {
  const { host, port, proxy, proxyTime, lookup } = to
  const usable = async (connection: RawConnection, until: AbortSignal): Promise<RawConnection> => {
    await whenConnected(connection.socket, to.secure ? "secureConnect" : "connect", until)
    return connection
  }
  const connection =
    proxy === null
      ? await usable(connectDirectly({ host, port, ...(lookup && { lookup }) }, to), signal)
      : await withTimeLimit(proxyTime, signal, async (until) => usable(await connectThrough(proxy, to, until), until))
  connection.socket.setNoDelay(true).setKeepAlive(true, keepAliveDelay)
  return connection
}

/** Throws ProxyTimeout if the work exceeds the time limit: a proxy may accept and then stay silent. */
async function withTimeLimit<T>(ms: number, signal: AbortSignal, work: (until: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ms)
  try {
    return await work(AbortSignal.any([signal, late.signal]))
  } catch (error) {
    throw late.signal.aborted && !signal.aborted ? new ProxyTimeout(ms) : error
  } finally {
    clearTimeout(timer)
  }
}

interface Address {
  readonly host: string
  readonly port: number
  readonly lookup?: LookupFunction
}

/** Shared read buffer of all connections: data is processed before the next read. */
let memory: Buffer | null = null

function connectDirectly(address: Address, to: Destination): RawConnection {
  let take: ((bytes: Buffer) => void) | null = null
  memory ??= Buffer.allocUnsafeSlow(64 * 1024)
  const onread = {
    buffer: memory,
    callback(count: number, bytes: Uint8Array): boolean {
      if (take === null) socket.destroy()
      else take(bytes.subarray(0, count) as Buffer)
      return true
    },
  }
  const options = { ...address, onread }
  const socket = to.secure ? openTls(options, to) : process.getBuiltinModule("node:net").connect(options)
  return { socket, listen: (listener) => void (take = listener) }
}

async function connectThrough(proxy: Proxy, to: Destination, signal: AbortSignal): Promise<RawConnection> {
  const { host, port } = to
  const raw =
    proxy.kind === "socks" ? await throughSocks(proxy, host, port, signal) : await connectToProxy(proxy, to, signal)
  if (to.secure && proxy.kind === "http") await tunnel(raw, proxy, authorityOf(to), signal)
  const socket = to.secure ? openTls({ socket: raw }, to) : raw
  return { socket, listen: (take) => void socket.on("data", take).resume() }
}

/** A connection for any protocol. `how`: through a tunnel, or to an HTTP proxy that takes absolute URLs. Throws like `connect`. */
export async function connectStream(
  to: Pick<Destination, "host" | "port" | "proxy" | "proxyTime" | "context" | "lookup">,
  how: "tunnel" | "request",
  signal: AbortSignal,
): Promise<Socket> {
  const { host, port, proxy, proxyTime, lookup } = to
  if (proxy === null) {
    const { connect } = process.getBuiltinModule("node:net")
    return whenConnected(connect({ host, port, allowHalfOpen: true, ...(lookup && { lookup }) }), "connect", signal)
  }
  return withTimeLimit(proxyTime, signal, async (until) => {
    if (proxy.kind === "socks") return throughSocks(proxy, host, port, until)
    const raw = await connectToProxy(proxy, to, until)
    if (how === "tunnel") await tunnel(raw, proxy, authorityOf(to), until)
    return raw
  })
}

function authorityOf({ host, port }: Pick<Destination, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`
}

function connectToProxy(
  { url }: Proxy,
  { context }: Pick<Destination, "context">,
  signal: AbortSignal,
): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const secure = url.protocol === "https:"
  const address = { host, port: Number(url.port || (secure ? 443 : 80)) }
  if (!secure) return whenConnected(process.getBuiltinModule("node:net").connect(address), "connect", signal)
  return whenConnected(openTls(address, { host, context }), "secureConnect", signal)
}

type Peer = Pick<Destination, "host" | "context"> & Partial<Pick<Destination, "session" | "onSession">>

function openTls(way: ConnectionOptions, { host, context, session, onSession }: Peer): TLSSocket {
  const named = process.getBuiltinModule("node:net").isIP(host) === 0
  const known = session?.()
  const socket = process.getBuiltinModule("node:tls").connect({
    ...way,
    // The name that the certificate must contain; an IP address is not sent as a name (RFC 6066, 3).
    host,
    servername: named ? host : "",
    ALPNProtocols: ["http/1.1"],
    ...(context && { secureContext: context }),
    ...(known && { session: known }),
  })
  if (onSession) socket.on("session", onSession)
  return socket
}

/** The socket once it is connected. On failure it is closed. */
async function whenConnected<T extends Socket>(
  socket: T,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<T> {
  ignoreErrors(socket)
  if (event === "connect" && !socket.connecting) return socket
  const { once } = process.getBuiltinModule("node:events")
  try {
    await once(socket, event, { signal })
    return socket
  } catch (error) {
    closeQuietly(socket)
    throw error
  }
}

function closeQuietly(socket: Socket): void {
  ignoreErrors(socket).destroy()
}

/** Without this listener an error at a moment without other listeners, as between tunnel and use, would end the program. */
function ignoreErrors(socket: Socket): Socket {
  return socket.on("error", () => undefined)
}

/** Opens a tunnel with CONNECT (RFC 9110, 9.3.6). */
async function tunnel(socket: Socket, proxy: Proxy, authority: string, signal: AbortSignal): Promise<void> {
  const reader = createResponseReader({ bodiless: true })
  const headers = { host: authority, ...proxyCredential(proxy) }
  try {
    socket.write(requestHead({ method: "CONNECT", target: authority, headers }), "latin1")
    let received: Buffer = Buffer.alloc(0)
    let head = reader.head()
    for (; head === null; head = reader.head()) {
      const bytes: Buffer | null = socket.read()
      if (bytes !== null) received = Buffer.concat([received, bytes])
      if (bytes !== null) reader.feed(bytes)
      else if (socket.readableEnded) reader.close()
      else await waitForData(socket, signal)
    }
    const { status } = head
    if (status < 200 || status > 299) throw new ProxyRefusal(status)
    const rest = afterHead(received)
    if (rest.length > 0) socket.unshift(rest)
  } catch (error) {
    closeQuietly(socket)
    throw error
  }
}

/** Waits for data or the end, and removes its listeners: a proxy may send its answer in a thousand pieces. */
async function waitForData(socket: Socket, signal: AbortSignal): Promise<void> {
  const { once } = process.getBuiltinModule("node:events")
  const over = new AbortController()
  const either = { signal: AbortSignal.any([signal, over.signal]) }
  try {
    await Promise.race([once(socket, "readable", either), once(socket, "end", either)])
  } finally {
    over.abort()
  }
}

/** Data that the server sent right after the proxy's answer. */
function afterHead(received: Buffer): Buffer {
  let at = 0
  for (let interim = true; interim;) {
    interim = /^HTTP\/1\.\d 1/.test(received.toString("latin1", at, at + 10))
    at = received.indexOf("\r\n\r\n", at, "latin1") + 4
  }
  return received.subarray(at)
}

/** The credentials of the proxy, if its URL has any. */
export function proxyCredential({ url }: Proxy): Readonly<Record<string, string>> {
  return url.username === "" ? {} : { "proxy-authorization": basicCredential(url) }
}

/** User and password of a URL as basic authentication (RFC 7617). */
export function basicCredential({ username, password }: URL): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString("base64")}`
}

/** The proxy resolves the name, with socks5:// too, since manipulated DNS is a reason for many proxies. */
async function throughSocks({ url }: Proxy, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { SocksClient } = await import("socks")
  const { username, password } = url
  const proxy = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 1080) }
  const socket = await whenConnected(process.getBuiltinModule("node:net").connect(proxy), "connect", signal)
  const stop = (): void => closeQuietly(socket)
  signal.addEventListener("abort", stop, { once: true })
  try {
    await SocksClient.createConnection({
      command: "connect",
      proxy: {
        ...proxy,
        type: 5,
        ...(username === "" ? {} : { userId: decodeURIComponent(username), password: decodeURIComponent(password) }),
      },
      destination: { host, port },
      existing_socket: socket,
      timeout: longestTimer,
    })
    await keepEarlyData(socket)
    return socket
  } catch (error) {
    closeQuietly(socket)
    // A new error, since the original contains the proxy's password.
    throw signal.aborted ? signal.reason : new Error((error as Error).message)
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

/**
 * In the next turn the library passes what came with the proxy's answer to the listeners of that moment, and lets the rest flow:
 * without this both would be lost. Leaves the socket paused.
 */
async function keepEarlyData(socket: Socket): Promise<void> {
  const early: Buffer[] = []
  const keep = (bytes: Buffer): void => void early.push(bytes)
  // Before the end of a connection that the server has already closed.
  socket.on("data", keep).once("resume", () => socket.off("data", keep).pause().unshift(Buffer.concat(early)))
  await new Promise((resolve) => setImmediate(resolve))
}
