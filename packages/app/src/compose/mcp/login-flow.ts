import type { Callback, LoginChallenge, LoginStore, ServerNetwork } from "@gong/mcp"
import type { McpServerConfig } from "@gong/config/mcp/read"
import { systemClock } from "../../ports.ts"
import type { McpOptions } from "./parts.ts"
import { loginStore } from "./login-store.ts"

interface LoginFlowDeps {
  readonly options: McpOptions
  readonly config: McpServerConfig
  readonly address: URL
  network(): ServerNetwork
  readonly members: ReadonlySet<LoginMember>
}

/** How a login reaches a user. */
export interface LoginMember {
  showAddress(address: URL): Promise<void>
  /**
   * Asks for the address at which the browser has ended, where that cannot reach this machine; null: nobody answers. The
   * question ends with the signal.
   */
  pastedAddress(signal: AbortSignal): Promise<string | null>
}

export interface LoginFlow {
  readonly store: LoginStore
  login(challenge: LoginChallenge, signal: AbortSignal): Promise<void>
}

/** Milliseconds in which the user logs in. */
const loginTime = 600_000

/** The login at one server: tokens below its address in auth.json, and a browser that returns to this machine. */
export function loginFlow({ options, config, address, network, members }: LoginFlowDeps): LoginFlow {
  const { services } = options
  const store = loginStore(options, config)
  return {
    store,
    async login(challenge, signal) {
      const { fetchOver, login } = await import("@gong/mcp/connection")
      const { openCallback } = await import("@gong/tools/host/login-callback")
      const late = new AbortController()
      const cancel = systemClock.timer(loginTime, () => late.abort(new Error("nobody logged in within 10 minutes")))
      const callback = await openCallback()
      try {
        await login({
          server: address,
          store,
          fetch: fetchOver(network(), address, config.entry.headers ?? {}),
          clock: services.clock,
          callback: { url: callback.url, wait: (state, end) => firstReturn(callback, members, state, end) },
          client: config.entry.oauth ?? {},
          challenge,
          state: services.ids.tape() + services.ids.entry(),
          show: async (shown) => {
            await Promise.all([...members].map((member) => member.showAddress(shown)))
          },
          signal: AbortSignal.any([signal, late.signal]),
        })
      } finally {
        cancel()
        callback.close()
      }
    },
  }
}

/** The return of the browser to this machine, or the address that a user pastes, whichever comes first. */
async function firstReturn(
  { wait }: Callback,
  members: ReadonlySet<LoginMember>,
  state: string,
  end: AbortSignal,
): Promise<URLSearchParams> {
  const over = new AbortController()
  const signal = AbortSignal.any([end, over.signal])
  const { promise: pasted, resolve } = Promise.withResolvers<URLSearchParams>()
  const take = (text: string | null): void => {
    const found = text !== null && URL.canParse(text.trim()) ? new URL(text.trim()).searchParams : null
    if (found?.get("state") === state) resolve(found)
  }
  for (const member of members) member.pastedAddress(signal).then(take, () => undefined)
  try {
    return await Promise.race([wait(state, end), pasted])
  } finally {
    over.abort()
  }
}
