import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import { failure, FailureError, type Transport, type TransportRequest, type TransportResponse } from "@gong/spec"
import { type Agents, createAgents, type Route, type TransportOptions } from "./agents.ts"
import { type ByteStream, chunksOf } from "./chunks.ts"

export { systemAddresses, type TransportOptions } from "./agents.ts"
export { type Proxy, proxyFor } from "./proxy.ts"
export { publicReach, type Reach } from "./reach.ts"

export interface ClosableTransport extends Transport {
  /** Closes idle connections. */
  close(): void
}

/** The network over Node's own http and https; `https` is loaded by the first https address only. */
export function createTransport(options: TransportOptions = {}): ClosableTransport {
  const agents = createAgents(options)
  const targets = new Map<string, Target>()
  return {
    async send(request) {
      const target = targets.get(request.url) ?? targetAt(request.url, agents)
      if (targets.size >= maxTargets) targets.clear()
      targets.set(request.url, target)
      const first = await exchange(request, target)
      if (!("stale" in first)) return first
      // The server closed a kept-alive connection just as it was used again: nothing was lost, a new one will do.
      const second = await exchange(request, target)
      if ("stale" in second) throw second.stale
      return second
    },
    close: () => agents.close(),
  }
}

/** What all requests to one address have in common: taking an address apart costs as much as reading a small reply. */
interface Target {
  readonly route: Route
  readonly secure: boolean
  readonly options: RequestOptions
}

/** Addresses that are remembered; a model has one. */
const maxTargets = 100

function targetAt(address: string, agents: Agents): Target {
  const url = parseUrl(address)
  const secure = url.protocol === "https:"
  const route = agents.routeTo(url)
  const { urlToHttpOptions } = process.getBuiltinModule("node:url")
  // Without TLS there is no name to send; Node would work one out for each request.
  const options = { ...urlToHttpOptions(url), agent: route.agent, ...(secure ? {} : { servername: "" }) }
  return { route, secure, options }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === "http:" || url?.protocol === "https:") return url
  throw new FailureError(failure("network", `${text} is not an http or https address`, { retryable: false }))
}

type Exchange = TransportResponse | { readonly stale: FailureError }

function exchange(request: TransportRequest, target: Target): Promise<Exchange> {
  if (request.signal.aborted) return Promise.reject(abortedBy(request.signal))
  const { route } = target
  return new Promise((resolve, reject) => {
    const sent = open(request, target)
    // Not by the `signal` option of the request: that watches the whole stream, and costs as much as a small reply.
    const stop = (): void => {
      const why = abortedBy(request.signal)
      sent.destroy(why)
      // While a proxy keeps it waiting for its connection, a request says nothing of its end.
      reject(why)
    }
    request.signal.addEventListener("abort", stop, { once: true })
    sent.on("close", () => request.signal.removeEventListener("abort", stop))
    sent.on("response", (response) => {
      try {
        if (response.statusCode === 407) throw refusedBy(route, 407)
        resolve(respond(sent, response, request.signal))
      } catch (error) {
        sent.destroy()
        reject(error)
      }
    })
    sent.on("error", (error: ProxyError) => {
      const thrown = networkError(error, request.signal, route)
      const stale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
      if (stale && !request.signal.aborted) resolve({ stale: thrown })
      else reject(thrown)
    })
    for (const bytes of request.body) sent.write(bytes)
    sent.end()
  })
}

function open(request: TransportRequest, { secure, options }: Target): ClientRequest {
  let length = 0
  for (const bytes of request.body) length += bytes.byteLength
  const headers = request.method === "POST" ? { ...request.headers, "content-length": length } : { ...request.headers }
  // Not `import`: the module graph of an import pulls in undici, 35 ms and 16 MB (design section 8).
  const client = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http")
  try {
    return client.request({ ...options, method: request.method, headers })
  } catch (error) {
    // A header that cannot be sent, such as a key with a line break in it; the message names the header, not its value.
    throw new FailureError(failure("bad-request", describe(error as NodeJS.ErrnoException), { cause: error }))
  }
}

function respond(sent: ClientRequest, response: IncomingMessage, signal: AbortSignal): TransportResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value
  }
  return { status: response.statusCode ?? 0, headers, body: readBody(sent, response, signal) }
}

function readBody(sent: ClientRequest, response: IncomingMessage, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const leave = (): void => {
    // Also when the server answered before it had read the request: its bytes may be reused from here on.
    if (!response.complete || !sent.writableFinished) sent.destroy()
  }
  return chunksOf(decompressed(response), { leave, thrown: (error) => networkError(error, signal) })
}

function decompressed(response: IncomingMessage): ByteStream {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding === "identity" || encoding === "") return response
  const unpack = unpacker(encoding)
  if (!unpack)
    throw new FailureError(failure("bad-reply", `the reply is packed as "${encoding}", which Gong cannot read`))
  response.on("error", (error) => unpack.destroy(error))
  return response.pipe(unpack)
}

/** Flushing hands on what has come instead of waiting for a full block: a stream must not stand still. */
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

/** As Node tells that a proxy made no way through. */
type ProxyError = NodeJS.ErrnoException & { readonly statusCode?: number }

function networkError(error: ProxyError, signal: AbortSignal, route?: Route): FailureError {
  if (signal.aborted) return abortedBy(signal)
  if (error instanceof FailureError) return error
  if (error.code === "ERR_PROXY_TUNNEL" && route) return refusedBy(route, error.statusCode)
  const through = route?.proxy ? `, by the proxy ${nameOf(route)}` : ""
  const retryable = certificateHelp(error) === ""
  return new FailureError(failure("network", describe(error) + through, { retryable, cause: error }))
}

/** A proxy that does not let us through; without a status it did not answer. */
function refusedBy(route: Route, status: number | undefined): FailureError {
  const name = nameOf(route)
  const text =
    status === 407
      ? `the proxy ${name} wants a user and a password, as http://USER:PASSWORD@HOST:PORT (407)`
      : `the proxy ${name} made no connection${status === undefined ? "" : ` (${status})`}`
  // What a proxy forbids it will forbid again.
  const retryable = status === undefined || status >= 500
  return new FailureError(failure("network", text, { retryable }))
}

function nameOf({ proxy }: Route): string {
  return proxy ? `${proxy.name} (${proxy.variable})` : "between here and there"
}

/** The reason itself when it is a failure, so that whoever aborts can say why. */
function abortedBy(signal: AbortSignal): FailureError {
  if (signal.reason instanceof FailureError) return signal.reason
  return new FailureError(failure("aborted", "Operation aborted"))
}

type ErrorFields = NodeJS.ErrnoException & { address?: unknown; port?: unknown; hostname?: unknown }

/** One line: `ECONNREFUSED 127.0.0.1:1`. */
function describe(error: NodeJS.ErrnoException): string {
  // A name with several addresses fails once for each; the first one tells as much as all.
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  const { code, address, port, hostname } = first as ErrorFields
  if (typeof address === "string") return `${code} ${address.includes(":") ? `[${address}]` : address}:${port}`
  if (typeof hostname === "string") return `${code} ${hostname}`
  if (code === "ECONNRESET") return "ECONNRESET: the connection was closed"
  return (typeof code === "string" ? `${code}: ` : "") + (first.message.split("\n")[0] ?? "") + certificateHelp(first)
}

/** Behind a company's own authority, which no list of Node's names. */
function certificateHelp({ code }: NodeJS.ErrnoException): string {
  const unknown = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_\w+)$/
  if (!unknown.test(code ?? "")) return ""
  return "; if its authority is your company's, name its file in SSL_CERT_FILE, or set tls.systemCa"
}
