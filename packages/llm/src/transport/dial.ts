import type { Socket } from "node:net"
import { connectStream, proxyCredential } from "./http/connect.ts"
import { proxyFor } from "./proxy.ts"
import {
  checkHost,
  lookupAllowed,
  networkAddressPolicy,
  publicAddressPolicy,
  type AddressPolicy,
} from "./address-policy.ts"
import { authorities, type TransportOptions, defaultProxyTime } from "./proxy-selection.ts"

export { systemAddresses } from "./proxy-selection.ts"

export interface DialResult {
  /** Half-open: each side ends on its own. */
  readonly socket: Socket
  /** Headers for an HTTP proxy that takes absolute URLs; null: a direct connection or a tunnel to the server. */
  readonly proxy: readonly string[] | null
}

export interface Dial {
  readonly host: string
  readonly port: number
  /** `http`: for one plain request; `stream`: any protocol. */
  readonly how: "http" | "stream"
  /** Permitted destinations. `public` is the internet. */
  readonly within: "public" | "networks"
}

export type Dialer = (to: Dial, signal: AbortSignal) => Promise<DialResult>

export interface DialOptions extends Pick<TransportOptions, "env" | "systemCa" | "proxyTime"> {
  /** All addresses of a name, resolved once per connection: the checked addresses are the ones connected to. */
  readonly resolve: AddressPolicy["resolve"]
}

/**
 * Opens connections for other uses than the transport, over the user's proxy if there is one, which then resolves names. Throws
 * FailureError: `denied` for a destination that is not permitted, `network` for an invalid proxy; otherwise the system's error,
 * ProxyRefusal or ProxyTimeout.
 */
export function createDialer(options: DialOptions): Dialer {
  const { env = {}, systemCa = false, proxyTime = defaultProxyTime, resolve } = options
  const policies = { public: publicAddressPolicy(resolve), networks: networkAddressPolicy(resolve) }
  return async ({ host, port, how, within }, signal) => {
    const addressPolicy = policies[within]
    const url = new URL(`${how === "http" ? "http" : "https"}://${host}:${port}/`)
    checkHost(addressPolicy, url)
    const proxy = proxyFor(url, env)
    const asked = how === "http" && proxy?.kind === "http" ? proxy : null
    const context = proxy?.url.protocol === "https:" ? authorities({ env, systemCa }) : undefined
    const lookup = proxy === null ? lookupAllowed(addressPolicy) : undefined
    const socket = await connectStream(
      { host, port, proxy, proxyTime, context, lookup },
      asked === null ? "tunnel" : "request",
      signal,
    )
    const headers = asked && Object.entries(proxyCredential(asked)).map(([name, value]) => `${name}: ${value}`)
    return { socket, proxy: headers }
  }
}
