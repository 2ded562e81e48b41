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
  /** Half open: each side ends by itself. */
  readonly socket: Socket
  /** Headers for a proxy that is asked for whole addresses; null: what is written goes to the server itself. */
  readonly proxy: readonly string[] | null
}

export interface Dial {
  readonly host: string
  readonly port: number
  /** `http`: one plain request will be sent; `stream`: anything. */
  readonly how: "http" | "stream"
  /** Where it may lie. `public` is the internet. */
  readonly within: "public" | "networks"
}

export type Dialer = (to: Dial, signal: AbortSignal) => Promise<DialResult>

export interface DialOptions extends Pick<TransportOptions, "env" | "systemCa" | "proxyTime"> {
  /** All addresses of a name, asked once for each connection: those that were judged are connected to. */
  readonly resolve: AddressPolicy["resolve"]
}

/**
 * Connections for others than the transport, over the user's own proxy where there is one, which then looks names up. Throws
 * FailureError: `denied` for what lies elsewhere than it may, `network` for a proxy that cannot be used; else what the system
 * says, ProxyRefusal or ProxyTimeout.
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
