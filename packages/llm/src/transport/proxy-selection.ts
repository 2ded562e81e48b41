import type { SecureContext } from "node:tls"
import { failure, FailureError, phrase, type Text } from "@gong/spec"
import { connect, type Destination, type RawConnection } from "./http/connect.ts"
import { type Environment, type Proxy, proxyFor } from "./proxy.ts"
import { type Address, checkHost, lookupAllowed, type AddressPolicy } from "./address-policy.ts"

export interface TransportOptions {
  /** Provides HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case, and SSL_CERT_FILE. Default: none. */
  readonly env?: Environment
  /** Use the proxy for addresses on this machine too. */
  readonly proxyLoopback?: boolean
  /** Time limit in milliseconds for a connection through a proxy, TLS with the server included. Default: 30,000. */
  readonly proxyTime?: number
  /** Trust the system's certificate authorities in addition to Node's. */
  readonly systemCa?: boolean
  /** Restricts the destinations. Behind a proxy, which resolves names itself, only the spelling is checked. Default: none. */
  readonly addressPolicy?: AddressPolicy
}

/** The route to one address. */
export interface Route {
  readonly proxy: Proxy | null
  /** Requests with the same name may share a connection. */
  readonly name: string
  connect(signal: AbortSignal): Promise<RawConnection>
}

export const defaultProxyTime = 30_000

export type SelectRoute = (url: URL) => Route

/** Resolves a name with the system's resolver. */
export function systemAddresses(name: string): Promise<readonly Address[]> {
  const { lookup } = process.getBuiltinModule("node:dns").promises
  return lookup(name, { all: true, verbatim: true }) as Promise<readonly Address[]>
}

/**
 * Selects the route to each address. Throws FailureError: `network` for an invalid proxy or certificate file, `denied` for an
 * address outside the policy.
 */
export function createRouteSelector(options: TransportOptions): SelectRoute {
  const env = options.env ?? {}
  let context: { readonly made: SecureContext | undefined } | null = null
  /** The last TLS session of each route; resuming it saves a round trip. */
  const sessions = new Map<string, Buffer>()
  return (url) => {
    if (options.addressPolicy) checkHost(options.addressPolicy, url)
    const proxy = proxyFor(url, env, { loopback: options.proxyLoopback === true })
    const secure = url.protocol === "https:"
    if (secure || proxy?.url.protocol === "https:") context ??= { made: authorities(options) }
    const name = `${url.origin} ${proxy?.url.href ?? ""}`
    const to: Destination = {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url.port || (secure ? 443 : 80)),
      secure,
      proxy,
      proxyTime: options.proxyTime ?? defaultProxyTime,
      context: context?.made,
      lookup: options.addressPolicy && proxy === null ? lookupAllowed(options.addressPolicy) : undefined,
      session: () => sessions.get(name),
      onSession: (session) => sessions.set(name, session),
    }
    return { proxy, name, connect: (signal) => connect(to, signal) }
  }
}

/** Node always adds NODE_EXTRA_CA_CERTS itself. */
export function authorities({ env = {}, systemCa = false }: TransportOptions): SecureContext | undefined {
  const file = env["SSL_CERT_FILE"]
  if (!file && !systemCa) return undefined
  const tls = process.getBuiltinModule("node:tls")
  const more = [...(systemCa ? tls.getCACertificates("system") : []), ...(file ? [readCertificates(file)] : [])]
  try {
    return tls.createSecureContext({ ca: [...tls.getCACertificates("default"), ...more] })
  } catch {
    throw refused(phrase`SSL_CERT_FILE: ${file} holds no certificates in PEM form`)
  }
}

function readCertificates(file: string): string {
  try {
    return process.getBuiltinModule("node:fs").readFileSync(file, "utf8")
  } catch (error) {
    throw refused(phrase`SSL_CERT_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

function refused(text: Text): FailureError {
  return new FailureError(failure("network", text, { retryable: false }))
}
