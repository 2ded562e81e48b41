import type { Target } from "./ports.ts"

type Environment = Readonly<Record<string, string>>

const variable = /^(?:https?|all|ftp)_proxy$/i

/**
 * The user's own proxies that programs inside find at the gateway: plain HTTP ones, by name or on this machine. Programs keep
 * what the user has told them, in variables and in files of their own.
 */
export function userProxies(env: Environment): readonly Target[] {
  const found = Object.entries(env).flatMap(([name, value]) => {
    const target = variable.test(name) ? targetIn(value) : null
    return target === null ? [] : [target]
  })
  return found.filter((one, at) => found.findIndex(({ host, port }) => host === one.host && port === one.port) === at)
}

/** Without the proxies that the gateway cannot stand for (SOCKS, TLS, bare addresses): programs go their way without them. */
export function withoutOtherProxies(env: Environment): Environment {
  const kept = Object.entries(env).filter(
    ([name, value]) => !variable.test(name) || value === "" || targetIn(value) !== null,
  )
  return Object.fromEntries(kept)
}

function targetIn(value: string): Target | null {
  const text = value.includes("://") ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== "http:") return null
  const own = url.hostname === "127.0.0.1" || url.hostname === "localhost"
  if (!own && /^[\d.]+$|^\[/.test(url.hostname)) return null
  return { host: own ? "localhost" : url.hostname, port: Number(url.port || 80) }
}
