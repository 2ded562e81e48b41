import type { Target } from "./ports.ts"

type Environment = Readonly<Record<string, string>>

const variable = /^(?:https?|all|ftp)_proxy$/i

/**
 * The user's plain HTTP proxies that the gateway provides to programs inside. Programs keep their own proxy settings in
 * variables and files.
 */
export function userProxies(env: Environment): readonly Target[] {
  const found = Object.entries(env).flatMap(([name, value]) => {
    const target = variable.test(name) ? targetIn(value) : null
    return target === null ? [] : [target]
  })
  return found.filter((one, at) => found.findIndex(({ host, port }) => host === one.host && port === one.port) === at)
}

/** Removes proxies that the gateway cannot provide (SOCKS, TLS, bare addresses), so that programs connect directly. */
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
