import type { Socket } from "node:net"
import { connectStream, proxyCredential } from "./http/connect.ts"
import { proxyFor } from "./proxy.ts"
import { checkHost, lookupWithin, networkReach, publicReach, type Reach } from "./reach.ts"
import { authorities, type TransportOptions, usualProxyTime } from "./routes.ts"

export { systemAddresses } from "./routes.ts"

export interface Dialed {
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

export type Dialer = (to: Dial, signal: AbortSignal) => Promise<Dialed>

export interface DialOptions extends Pick<TransportOptions, "env" | "systemCa" | "proxyTime"> {
  /** All addresses of a name, asked once for each connection: those that were judged are connected to. */
  readonly resolve: Reach["resolve"]
}

/**
 * Connections for others than the transport, over the user's own proxy where there is one, which then looks names up. Throws
 * FailureError: `denied` for what lies elsewhere than it may, `network` for a proxy that cannot be used; else what the system
 * says, ProxyRefusal or ProxyTimeout.
 */
export function createDialer(options: DialOptions): Dialer {
  const { env = {}, systemCa = false, proxyTime = usualProxyTime, resolve } = options
  const reaches = { public: publicReach(resolve), networks: networkReach(resolve) }
  return async ({ host, port, how, within }, signal) => {
    const reach = reaches[within]
    const url = new URL(`${how === "http" ? "http" : "https"}://${host}:${port}/`)
    checkHost(reach, url)
    const proxy = proxyFor(url, env)
    const asked = how === "http" && proxy?.kind === "http" ? proxy : null
    const context = proxy?.url.protocol === "https:" ? authorities({ env, systemCa }) : undefined
    const lookup = proxy === null ? lookupWithin(reach) : undefined
    const socket = await connectStream(
      { host, port, proxy, proxyTime, context, lookup },
      asked === null ? "tunnel" : "request",
      signal,
    )
    const headers = asked && Object.entries(proxyCredential(asked)).map(([name, value]) => `${name}: ${value}`)
    return { socket, proxy: headers }
  }
}
