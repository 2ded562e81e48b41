import {
  failure,
  FailureError,
  phrase,
  type Text,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@gong/spec"
import { basicCredential, proxyCredential, ProxyRefusal, ProxyTimeout } from "./http/connect.ts"
import { type Response, type SentRequest, StaleConnection } from "./http/connection.ts"
import { createPool, type Pool } from "./http/pool.ts"
import { requestHead } from "./http/request.ts"
import { createRouteSelector, type Route, type SelectRoute, type TransportOptions } from "./proxy-selection.ts"

export { systemAddresses, type TransportOptions } from "./proxy-selection.ts"
export { type Proxy, proxyFor } from "./proxy.ts"
export { publicAddressPolicy, type AddressPolicy } from "./address-policy.ts"

export interface ClosableTransport extends Transport {
  /** Closes idle connections. */
  close(): void
}

/** The network over HTTP/1.1. TLS is loaded for the first https address. */
export function createTransport(options: TransportOptions = {}): ClosableTransport {
  const routes = createRouteSelector(options)
  const pool = createPool()
  const targets = new Map<string, Target>()
  return {
    async send(request) {
      const target = targets.get(request.url) ?? targetAt(request.url, routes)
      if (targets.size >= maxTargets) targets.clear()
      targets.set(request.url, target)
      const { signal, watched = always } = request
      if (signal.aborted) throw abortedBy(signal)
      const { route } = target
      const thrown = (error: Error): Error => networkError(error, signal, route)
      const sent = { head: headOf(request, target), body: request.body, signal, watched, thrown }
      return respond(await exchange(pool, route, sent), thrown, route)
    },
    close: () => pool.close(),
  }
}

/** Common data of all requests to one URL: parsing a URL costs as much as reading a small reply. */
interface Target {
  readonly route: Route
  /** The request target. */
  readonly path: string
  /** Sent before the request's own headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** Cached URLs; a model has one. */
const maxTargets = 100

function targetAt(address: string, routes: SelectRoute): Target {
  const url = parseUrl(address)
  const route = routes(url)
  const { proxy } = route
  // A proxy without a tunnel takes the absolute URL (RFC 9112, 3.2.2).
  const asked = url.protocol === "http:" && proxy?.kind === "http" ? proxy : null
  const path = (asked ? url.origin : "") + url.pathname + url.search
  const credential = url.username === "" ? {} : { authorization: basicCredential(url) }
  const headers = { host: url.host, connection: "keep-alive", ...credential, ...(asked && proxyCredential(asked)) }
  return { route, path, headers }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === "http:" || url?.protocol === "https:") return url
  throw new FailureError(failure("network", phrase`${text} is not an http or https address`, { retryable: false }))
}

const always = (): boolean => true

function headOf({ method, headers, body }: TransportRequest, target: Target): string {
  let length = 0
  for (const bytes of body) length += bytes.byteLength
  const own = method === "POST" ? { ...headers, "content-length": String(length) } : headers
  return requestHead({ method, target: target.path, headers: { ...target.headers, ...own } })
}

async function exchange(pool: Pool, route: Route, request: SentRequest): Promise<Response> {
  const kept = pool.take(route.name)
  try {
    if (kept) return await kept.send(request)
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
  }
  const line = await route.connect(request.signal).catch((error: Error) => {
    throw request.thrown(error)
  })
  return pool.open(route.name, line).send(request)
}

function respond({ status, headers, body }: Response, thrown: Thrown, route: Route): TransportResponse {
  const refuse = (why: FailureError): never => {
    // The body is discarded, so this cannot fail.
    body.return?.().catch(() => undefined)
    throw why
  }
  if (status === 407 && route.proxy) return refuse(proxyRefused(route, 407))
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding === "identity" || encoding === "") return { status, headers, body }
  const unpack = unpacker(encoding)
  if (unpack) return { status, headers, body: unpacked(body, unpack, thrown) }
  const text = phrase`the reply is packed as "${encoding}", which Gong cannot read`
  return refuse(new FailureError(failure("bad-reply", text)))
}

type Thrown = SentRequest["thrown"]

async function* unpacked(body: Response["body"], unpack: Unpacker, thrown: Thrown) {
  const { pipeline } = process.getBuiltinModule("node:stream")
  // Errors come out at the end of the pipeline.
  pipeline(body, unpack, () => undefined)
  try {
    for await (const bytes of unpack) yield bytes as Uint8Array
  } catch (error) {
    throw thrown(error as Error)
  } finally {
    await body.return?.()
  }
}

type Unpacker = NonNullable<ReturnType<typeof unpacker>>

/** Flushes received data instead of waiting for a full block, so that a stream does not stall. */
function unpacker(encoding: string) {
  const zlib = process.getBuiltinModule("node:zlib")
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants
  switch (encoding) {
    case "gzip":
    case "x-gzip":
    case "deflate":
      return zlib.createUnzip({ flush: Z_SYNC_FLUSH })
    case "br":
      return zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH })
    case "zstd":
      return zlib.createZstdDecompress({ flush: ZSTD_e_flush })
    default:
      return null
  }
}

function networkError(error: NodeJS.ErrnoException, signal: AbortSignal, route: Route): FailureError {
  if (signal.aborted) return abortedBy(signal)
  if (error instanceof FailureError) return error
  if (error instanceof ProxyRefusal) return proxyRefused(route, error.status)
  if (error instanceof ProxyTimeout) return proxyTimedOut(route, error.time)
  const through = route.proxy ? `, by the proxy ${proxyName(route)}` : ""
  const retryable = certificateHint(error) === "" && !isNotTls(error)
  return new FailureError(failure("network", phrase`${describe(error)}${through}`, { retryable, cause: error }))
}

/** The proxy refused. */
function proxyRefused(route: Route, status: number): FailureError {
  const name = proxyName(route)
  const text =
    status === 407
      ? `the proxy ${name} wants a user and a password, as http://USER:PASSWORD@HOST:PORT (407)`
      : `the proxy ${name} made no connection (${status})`
  // A proxy refuses the same request again.
  const retryable = status >= 500
  return new FailureError(failure("network", text, { retryable }))
}

function proxyTimedOut(route: Route, ms: number): FailureError {
  const text = `the proxy ${proxyName(route)} made no connection in ${Math.round(ms / 1000)} s`
  return new FailureError(failure("network", text, { retryable: true }))
}

function proxyName({ proxy }: Route): string {
  return proxy ? `${proxy.name} (${proxy.variable})` : "between here and there"
}

/** The reason itself if it is a failure, so that the caller can explain an abort. */
function abortedBy(signal: AbortSignal): FailureError {
  if (signal.reason instanceof FailureError) return signal.reason
  return new FailureError(failure("aborted", phrase`Operation aborted`))
}

/** The server does not speak TLS: its first bytes are not a TLS record. */
function isNotTls({ code }: NodeJS.ErrnoException): boolean {
  return code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG"
}

type ErrorFields = NodeJS.ErrnoException & { address?: unknown; port?: unknown; hostname?: unknown; reason?: unknown }

/** One line: `ECONNREFUSED 127.0.0.1:1`. */
function describe(error: NodeJS.ErrnoException): Text {
  // A name with several addresses fails once per address; the first error suffices.
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  const { code, address, port, hostname, reason } = first as ErrorFields
  if (isNotTls(first)) return phrase`no TLS is spoken there; try http:// in place of https://`
  if (typeof address === "string") return `${code} ${address.includes(":") ? `[${address}]` : address}:${port}`
  if (typeof hostname === "string") return `${code} ${hostname}`
  if (code === "ECONNRESET") return "ECONNRESET: the connection was closed"
  // The message of a TLS error names an OpenSSL source file.
  const text = typeof reason === "string" ? reason : (first.message.split("\n")[0] ?? "")
  return (typeof code === "string" ? `${code}: ` : "") + text + certificateHint(first)
}

/** For a company's own certificate authority, which Node does not know. */
function certificateHint({ code }: NodeJS.ErrnoException): string {
  const unknown = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_\w+)$/
  if (!unknown.test(code ?? "")) return ""
  return "; if its authority is your company's, name its file in SSL_CERT_FILE, or set tls.systemCa"
}
