import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import { type ByteStream, chunksOf } from "./chunks.ts"
import { failure, FailureError, type Transport, type TransportRequest, type TransportResponse } from "@gong/spec"

export interface TransportOptions {
  /** Read for HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in either case. Default: no proxy. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Certificates in PEM form that count beside the machine's own. */
  readonly ca?: readonly string[]
}

export interface ClosableTransport extends Transport {
  /** Closes idle connections. */
  close(): void
}

/** The network over Node's own http and https; `https` is loaded by the first https address only. */
export function createTransport(options: TransportOptions = {}): ClosableTransport {
  const agents = new Map<string, Agent>()
  function agentFor(protocol: string): Agent {
    const known = agents.get(protocol)
    if (known) return known
    const made = protocol === "https:" ? httpsAgent(options) : new http.Agent(agentOptions(options))
    agents.set(protocol, made)
    return made
  }
  return {
    async send(request) {
      const url = parseUrl(request.url)
      const agent = agentFor(url.protocol)
      const first = await exchange(request, url, agent)
      if (!("stale" in first)) return first
      // The server closed a kept-alive connection just as it was used again: nothing was lost, a new one will do.
      const second = await exchange(request, url, agent)
      if ("stale" in second) throw second.stale
      return second
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

// Not `import`: the module graph of an import pulls in undici, 35 ms and 16 MB (design section 8).
const http = process.getBuiltinModule("node:http")

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === "http:" || url?.protocol === "https:") return url
  throw new FailureError(failure("network", `${text} is not an http or https address`, { retryable: false }))
}

function agentOptions(options: TransportOptions) {
  const env = options.env ?? {}
  const pick = (name: string) => env[name] || env[name.toLowerCase()] || undefined
  const all = pick("ALL_PROXY")
  const proxyEnv = { HTTP_PROXY: pick("HTTP_PROXY") ?? all, HTTPS_PROXY: pick("HTTPS_PROXY") ?? all }
  return { keepAlive: true, noDelay: true, proxyEnv: { ...proxyEnv, NO_PROXY: pick("NO_PROXY") } }
}

function httpsAgent(options: TransportOptions): Agent {
  const https = process.getBuiltinModule("node:https")
  if (!options.ca?.length) return new https.Agent(agentOptions(options))
  const tls = process.getBuiltinModule("node:tls")
  return new https.Agent({ ...agentOptions(options), ca: [...tls.getCACertificates("default"), ...options.ca] })
}

type Exchange = TransportResponse | { readonly stale: FailureError }

function exchange(request: TransportRequest, url: URL, agent: Agent): Promise<Exchange> {
  if (request.signal.aborted) return Promise.reject(abortedBy(request.signal))
  return new Promise((resolve, reject) => {
    const sent = open(request, url, agent)
    // Not by the `signal` option of the request: that watches the whole stream, and costs as much as a small reply.
    const stop = (): void => void sent.destroy(abortedBy(request.signal))
    request.signal.addEventListener("abort", stop, { once: true })
    sent.on("close", () => request.signal.removeEventListener("abort", stop))
    sent.on("response", (response) => resolve(respond(sent, response, request.signal)))
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const thrown = networkError(error, request.signal)
      const stale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
      if (stale && !request.signal.aborted) resolve({ stale: thrown })
      else reject(thrown)
    })
    for (const bytes of request.body) sent.write(bytes)
    sent.end()
  })
}

function open(request: TransportRequest, url: URL, agent: Agent): ClientRequest {
  let length = 0
  for (const bytes of request.body) length += bytes.byteLength
  const headers = request.method === "POST" ? { ...request.headers, "content-length": length } : { ...request.headers }
  const options: RequestOptions = { method: request.method, headers, agent }
  const client = url.protocol === "https:" ? process.getBuiltinModule("node:https") : http
  try {
    return client.request(url, options)
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
  const chunks = chunksOf(decompressed(response), leave)
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    try {
      return await chunks.next()
    } catch (error) {
      throw networkError(error as NodeJS.ErrnoException, signal)
    }
  }
  return { [Symbol.asyncIterator]: () => ({ ...chunks, next }) }
}

function decompressed(response: IncomingMessage): ByteStream {
  const encoding = response.headers["content-encoding"]
  if (encoding === undefined || encoding === "identity") return response
  const zlib = process.getBuiltinModule("node:zlib")
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
  // Flushing hands on what has come instead of waiting for a full block: a stream must not stand still.
  const unpack =
    encoding === "br"
      ? zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH })
      : zlib.createUnzip({ flush: Z_SYNC_FLUSH })
  response.on("error", (error) => unpack.destroy(error))
  return response.pipe(unpack)
}

function networkError(error: NodeJS.ErrnoException, signal: AbortSignal): FailureError {
  if (signal.aborted) return abortedBy(signal)
  if (error instanceof FailureError) return error
  return new FailureError(failure("network", describe(error), { cause: error }))
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
  return (typeof code === "string" ? `${code}: ` : "") + (first.message.split("\n")[0] ?? "")
}
