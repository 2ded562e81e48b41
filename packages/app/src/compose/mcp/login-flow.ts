import type { LoginChallenge, LoginStore, ServerNetwork } from "@gong/mcp"
import type { McpServerConfig } from "@gong/config/mcp/read"
import { systemClock } from "../../ports.ts"
import type { McpOptions } from "./parts.ts"
import { loginStore } from "./login-store.ts"

interface LoginFlowDeps {
  readonly options: McpOptions
  readonly config: McpServerConfig
  readonly address: URL
  network(): ServerNetwork
  readonly members: ReadonlySet<{ showAddress(address: URL): Promise<void> }>
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
  const store = loginStore(options.config.home, address, services.clock)
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
          callback,
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
