import { type Clock, failure, failureOf, FailureError, type Transport, type TransportResponse } from "@gong/spec"
import { Refusal } from "../result.ts"

/** The response of one address. */
export interface FetchedPage {
  /** The final address after redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** The body was longer than the limit. */
  readonly cut: boolean
}

/** A redirect to another host, which needs permission of its own. */
export interface RedirectedElsewhere {
  readonly url: URL
  readonly status: number
  readonly elsewhere: URL
}

export interface FetchDeps {
  /** Restricted to the public internet. */
  readonly transport: Transport
  readonly clock: Clock
  readonly userAgent: string
}

/** Milliseconds for the whole request. */
export const fetchTime = 30_000
export const fetchMaxBytes = 10 * 1024 * 1024
const maxRedirects = 5

/** Fetches an address and follows redirects on the same host. Throws a Refusal with advice for the model. */
export async function get(
  ports: FetchDeps,
  address: URL,
  signal: AbortSignal,
): Promise<FetchedPage | RedirectedElsewhere> {
  const late = new AbortController()
  const cancel = ports.clock.timer(fetchTime, () => late.abort(new FailureError(failure("network", tooLate))))
  const stop = AbortSignal.any([signal, late.signal])
  try {
    return await follow(ports, address, stop)
  } catch (error) {
    if (error instanceof Refusal || signal.aborted) throw error
    const { kind, message } = failureOf(error)
    const advice = kind === "denied" ? "Only addresses of the public internet are fetched." : "Check the address."
    throw new Refusal(`${address.href} was not fetched: ${message}. ${advice}`)
  } finally {
    cancel()
    late.abort()
  }
}

const tooLate = `no whole answer within ${fetchTime / 1000} s`

async function follow(ports: FetchDeps, address: URL, signal: AbortSignal): Promise<FetchedPage | RedirectedElsewhere> {
  let url = address
  for (let redirects = 0; ; redirects++) {
    const response = await ask(ports, url, signal)
    const { status } = response
    const next = redirectOf(response, url)
    if (next === null) return { url, status, headers: response.headers, ...(await bytesOf(response)) }
    await cancelBody(response)
    if (!isSamePlace(url, next)) return { url, status, elsewhere: next }
    if (redirects === maxRedirects) throw new Refusal(`${address.href} was redirected more than ${maxRedirects} times.`)
    url = checkedUrl(next.href)
  }
}

/** Sends no cookies and no keys, and identifies only the program. */
function ask({ transport, userAgent }: FetchDeps, url: URL, signal: AbortSignal): Promise<TransportResponse> {
  const headers = {
    accept: "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5",
    "accept-encoding": "gzip, deflate, br",
    "user-agent": userAgent,
  }
  const bare = new URL(url.href)
  bare.hash = ""
  return transport.send({ url: bare.href, method: "GET", headers, body: [], signal })
}

/** A URL that may be requested. Throws a Refusal otherwise. */
export function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw new Refusal(`"${text}" is no address. Write it whole, as https://example.com/page.`)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new Refusal(`${url.protocol} addresses are not fetched; only http and https.`)
  if (url.username !== "" || url.password !== "")
    throw new Refusal("The address holds a user or a password. Nothing is fetched with credentials; leave them out.")
  return url
}

function redirectOf({ status, headers }: TransportResponse, url: URL): URL | null {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null
  if (!URL.canParse(location, url.href)) throw new Refusal(`${url.href} redirects to what is no address: ${location}`)
  return new URL(location, url)
}

/** Permission is per host. Another port is another server, and https must not be downgraded to http. */
function isSamePlace(from: URL, to: URL): boolean {
  const secure = from.protocol === "http:" || to.protocol === from.protocol
  return secure && from.hostname === to.hostname && from.port === to.port
}

async function bytesOf({ body }: TransportResponse): Promise<Pick<FetchedPage, "bytes" | "cut">> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size > fetchMaxBytes) break
  }
  const bytes = Buffer.concat(parts)
  return { bytes: bytes.subarray(0, fetchMaxBytes), cut: size > fetchMaxBytes }
}

async function cancelBody({ body }: TransportResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}
