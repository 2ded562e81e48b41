import { failure, FailureError } from "@gong/spec"

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A proxy between this machine and the requested address. */
export interface Proxy {
  readonly kind: "http" | "socks"
  /** With user and password, if any. */
  readonly url: URL
  /** Without credentials, for messages. */
  readonly name: string
  /** The environment variable that configured it. */
  readonly variable: string
}

export interface ProxyOptions {
  /** Use the proxy for addresses on this machine too. */
  readonly loopback?: boolean
}

/**
 * The proxy for an address; null for none. HTTPS_PROXY or HTTP_PROXY by the scheme, otherwise ALL_PROXY, in upper or lower case;
 * NO_PROXY and loopback addresses bypass it. Throws FailureError (`network`) for an invalid variable.
 */
export function proxyFor(address: URL, env: Environment, options: ProxyOptions = {}): Proxy | null {
  const own = address.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY"
  const variable = variableIn(env, own) ?? variableIn(env, "ALL_PROXY")
  if (variable === undefined || (options.loopback !== true && isLoopback(hostOf(address)))) return null
  const bypass = variableIn(env, "NO_PROXY")
  if (bypass !== undefined && isBypassed(address, env[bypass] ?? "")) return null
  return readProxy(variable, env[variable] ?? "")
}

/** The name of the set variable, in upper or lower case; an empty one counts as unset. */
function variableIn(env: Environment, name: string): string | undefined {
  return [name, name.toLowerCase()].find((spelling) => env[spelling])
}

const kinds: Readonly<Record<string, Proxy["kind"]>> = {
  "http:": "http",
  "https:": "http",
  "socks:": "socks",
  "socks5:": "socks",
  "socks5h:": "socks",
}

function readProxy(variable: string, value: string): Proxy {
  const text = value.includes("://") ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  const kind = url ? kinds[url.protocol] : undefined
  // The value is not in the message, since it may contain a password.
  if (!url || !kind || url.hostname === "" || !isDecodable(url)) {
    const text = `${variable} names no proxy; write http://HOST:PORT or socks5://HOST:PORT`
    throw new FailureError(failure("network", text, { retryable: false }))
  }
  return { kind, url, name: `${url.protocol}//${url.host}`, variable }
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase()
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d+){3}$/.test(host)
}

/** NO_PROXY lists `*`, names (with their subdomains), addresses and IPv4 networks (`10.0.0.0/8`), each optionally with a port. */
function isBypassed(address: URL, list: string): boolean {
  const port = address.port || (address.protocol === "https:" ? "443" : "80")
  const host = hostOf(address)
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => isNamed(host, port, entry))
}

function isNamed(host: string, port: string, entry: string): boolean {
  if (entry === "*") return true
  const bare = entry.replace(/^\[(.*)\]$/, "$1")
  const withPort = /^\[?(.*?)\]?:(\d+)$/.exec(entry)
  // An IPv6 address without brackets consists of colons, and has no port.
  const single = withPort !== null && (entry.startsWith("[") || withPort[1]?.includes(":") === false)
  const [name, wanted] = single ? [withPort[1] ?? "", withPort[2]] : [bare, port]
  if (wanted !== port) return false
  if (name.includes("/")) return isInNetwork(host, name)
  const plain = name.replace(/^\*?\./, "")
  return host === plain || host.endsWith(`.${plain}`)
}

function isInNetwork(host: string, network: string): boolean {
  const [base = "", size = ""] = network.split("/")
  const [from, at] = [number(base), number(host)]
  const bits = Number(size)
  if (from === null || at === null || !/^\d+$/.test(size) || bits > 32) return false
  const span = 2 ** (32 - bits)
  return Math.floor(from / span) === Math.floor(at / span)
}

/** An IPv4 address as a number; null for anything else. */
function number(address: string): number | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return null
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0)
}
