import type { Agent } from "node:http"
import type { Duplex } from "node:stream"
import type { ConnectionOptions, SecureContext } from "node:tls"
import { failure, FailureError } from "@gong/spec"
import { type Environment, type Proxy, proxyFor } from "./proxy.ts"
import { type Address, checkHost, lookupWithin, type Reach } from "./reach.ts"

export interface TransportOptions {
  /** Read for HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in either case, and for SSL_CERT_FILE. Default: none of them. */
  readonly env?: Environment
  /** Also addresses on this machine are asked through the proxy. */
  readonly proxyLoopback?: boolean
  /** Authorities that the system trusts count beside Node's. */
  readonly systemCa?: boolean
  /** Only these hosts are asked. Behind a proxy names are looked up by the proxy, and judged as they are written. Default: all. */
  readonly reach?: Reach
}

/** How one address is reached. */
export interface Route {
  readonly agent: Agent
  readonly proxy: Proxy | null
}

export interface Agents {
  /** Throws FailureError: `network` for a proxy or a certificate file that cannot be used, `denied` for what is out of reach. */
  routeTo(url: URL): Route
  /** Closes idle connections. */
  close(): void
}

/** What this machine says of a name. */
export function systemAddresses(name: string): Promise<readonly Address[]> {
  const { lookup } = process.getBuiltinModule("node:dns").promises
  return lookup(name, { all: true, verbatim: true }) as Promise<readonly Address[]>
}

/** Connections that are kept and used again, apart for each scheme and each proxy. */
export function createAgents(options: TransportOptions): Agents {
  const made = new Map<string, Agent>()
  const env = options.env ?? {}
  return {
    routeTo(url) {
      if (options.reach) checkHost(options.reach, url)
      const proxy = proxyFor(url, env, { loopback: options.proxyLoopback === true })
      const name = `${url.protocol} ${proxy?.url.href ?? ""}`
      const agent = made.get(name) ?? makeAgent(url.protocol === "https:", proxy, options)
      made.set(name, agent)
      return { agent, proxy }
    },
    close() {
      for (const agent of made.values()) agent.destroy()
    },
  }
}

function makeAgent(secure: boolean, proxy: Proxy | null, options: TransportOptions): Agent {
  const proxyEnv = proxy?.kind === "http" ? { [secure ? "HTTPS_PROXY" : "HTTP_PROXY"]: proxy.url.href } : undefined
  const common = {
    keepAlive: true,
    noDelay: true,
    ...(proxyEnv && { proxyEnv }),
    ...(options.reach && proxy === null && { lookup: lookupWithin(options.reach) }),
  }
  // Not `import`: the module graph of an import pulls in undici, 35 ms and 16 MB (design section 8).
  const agent: Agent = secure
    ? new (process.getBuiltinModule("node:https").Agent)({ ...common, ...authorities(options) })
    : new (process.getBuiltinModule("node:http").Agent)(common)
  if (proxy?.kind === "socks") throughSocks(agent, proxy, secure)
  return agent
}

/** NODE_EXTRA_CA_CERTS is Node's own and counts always. */
function authorities({ env = {}, systemCa = false }: TransportOptions): { secureContext?: SecureContext } {
  const file = env["SSL_CERT_FILE"]
  if (!file && !systemCa) return {}
  const tls = process.getBuiltinModule("node:tls")
  const more = [...(systemCa ? tls.getCACertificates("system") : []), ...(file ? [readCertificates(file)] : [])]
  try {
    return { secureContext: tls.createSecureContext({ ca: [...tls.getCACertificates("default"), ...more] }) }
  } catch {
    throw refused(`SSL_CERT_FILE: ${file} holds no certificates in PEM form`)
  }
}

function readCertificates(file: string): string {
  try {
    return process.getBuiltinModule("node:fs").readFileSync(file, "utf8")
  } catch (error) {
    throw refused(`SSL_CERT_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

function refused(text: string): FailureError {
  return new FailureError(failure("network", text, { retryable: false }))
}

/** Milliseconds for a proxy to connect us. */
const handshakeTime = 30_000

type Wanted = Parameters<Agent["createConnection"]>[0]

/** Node's agents know proxies that speak http; for one that speaks SOCKS they get their connections from here. */
function throughSocks(agent: Agent, proxy: Proxy, secure: boolean): void {
  agent.createConnection = (wanted, done) => {
    connect(proxy, wanted, secure).then(
      (socket) => done?.(null, socket),
      // Not the error itself: it carries the proxy's password.
      (error: Error) => done?.(new Error(error.message), undefined as never),
    )
    return undefined
  }
}

/** The proxy looks the name up, with socks5:// too: names that are answered wrongly on the way here are the reason for many proxies. */
async function connect(proxy: Proxy, wanted: Wanted, secure: boolean): Promise<Duplex> {
  const { SocksClient } = await import("socks")
  const { hostname, port, username, password } = proxy.url
  const host = wanted.host ?? "localhost"
  const { socket } = await SocksClient.createConnection({
    command: "connect",
    proxy: {
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port || 1080),
      type: 5,
      ...(username === "" ? {} : { userId: decodeURIComponent(username), password: decodeURIComponent(password) }),
    },
    destination: { host, port: Number(wanted.port) },
    timeout: handshakeTime,
    set_tcp_nodelay: true,
  })
  if (!secure) return socket
  // What is wanted of the connection holds for TLS too, but for the request's path, which net takes for a socket's.
  const options: ConnectionOptions = { ...(wanted as ConnectionOptions), socket }
  delete options.path
  return process.getBuiltinModule("node:tls").connect(options)
}
