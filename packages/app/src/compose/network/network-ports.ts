import { englishOf, FailureError } from "@gong/spec"
import type { Dialer } from "@gong/llm/dial"
import type { NetworkPorts, Target, FailedConnection, Verdict } from "@gong/tools/host/gateway"
import type { NetworkCall } from "@gong/policy/decide-network"
import type { SessionPolicy } from "@gong/policy/policy"
import type { Session } from "@gong/session/session"
import type { Services } from "../../services.ts"
import type { Settings } from "@gong/config/settings/resolve"

/** Decides about connections of sandboxed commands. Created before the session and attached to it later. */
export interface SessionNetworkPorts {
  readonly ports: NetworkPorts
  attach(deciders: Deciders): void
}

interface Deciders {
  readonly policy: Pick<SessionPolicy, "decide" | "hostPorts">
  readonly session: Pick<Session, "permit">
}

export function sessionNetworkPorts({ env }: Pick<Services, "env">, { values }: Settings): SessionNetworkPorts {
  let attached: Deciders | null = null
  let dialer: Dialer | undefined
  const deciders = (): Deciders => {
    if (attached === null) throw new Error("Internal error in Gong: a connection before its session")
    return attached
  }
  const open = async (): Promise<Dialer> => {
    if (dialer) return dialer
    const { createDialer, systemAddresses } = await import("@gong/llm/dial")
    return (dialer = createDialer({ env, systemCa: values["tls.systemCa"], resolve: systemAddresses }))
  }
  /** Asks the user if policy does not decide. */
  const permitted = async (call: NetworkCall, signal: AbortSignal): Promise<Verdict> => {
    const { policy, session } = deciders()
    const found = await verdictOf(policy, call)
    if (found.verdict !== "ask") return found
    const allowed = session.permit !== null && (await session.permit(call, signal))
    return allowed ? { verdict: "allow" } : { verdict: "refuse", why: `${call.title} was refused by the user` }
  }
  return {
    attach: (given) => void (attached = given),
    ports: {
      decide: async (target) => verdictOf(deciders().policy, await callOf(target)),
      ports: () => deciders().policy.hostPorts(),
      ask: async (target, signal) => permitted(await callOf(target), signal),
      async connect(target, how, signal) {
        const dial = await open()
        const to = { ...target, how }
        try {
          return await dial({ ...to, within: "public" }, signal)
        } catch (error) {
          if (!isDenied(error)) return unreachable(target, error)
        }
        const near = await permitted(await callOf(target, true), signal)
        if (near.verdict === "refuse") return { why: `${near.why} (it lies in a private network)` }
        return dial({ ...to, within: "networks" }, signal).catch((error: unknown) => unreachable(target, error))
      },
    },
  }
}

async function callOf(target: Target, near = false): Promise<NetworkCall> {
  return (await import("@gong/policy/decide-network")).networkCall(target, near)
}

async function verdictOf(policy: Deciders["policy"], call: NetworkCall): Promise<Verdict> {
  const found = await policy.decide(call)
  return found.verdict === "deny" ? { verdict: "refuse", why: englishOf(found.toModel) } : { verdict: found.verdict }
}

function isDenied(error: unknown): boolean {
  return error instanceof FailureError && error.failure.kind === "denied"
}

function unreachable({ host, port }: Target, error: unknown): FailedConnection {
  const code = error instanceof Error && "code" in error ? String(error.code) : null
  const why = code ?? (error instanceof Error ? error.message : String(error))
  return { why: `${host}:${port} could not be reached (${why})` }
}
