import { englishOf, type PermissionLevel, phrase, type SessionEvent, type Text } from "@gong/spec"
import type { NetworkMode, SandboxMode } from "@gong/config/session-spec"
import type { Settings } from "@gong/config/settings/resolve"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { availableSandbox, type Bubblewrap, type SandboxDeps } from "./available-sandbox.ts"
import { nsenterPath } from "./programs.ts"
import type { Revealed } from "./secrets.ts"

/** The sandbox of the commands of a session. */
export interface Sandbox {
  readonly mode: SandboxMode
  readonly network: NetworkMode
  /** Null when off. */
  readonly bwrap: Bubblewrap | null
  /** Why it is off although the settings do not turn it off. */
  readonly reason: Text | null
}

/** An unavailable sandbox is a usage error if it was requested; a default sandbox is then off, with the reason. */
export async function chooseSandbox(deps: SandboxDeps): Promise<Outcome<Sandbox>> {
  const { settings } = deps.config
  const { mode, requestedBy } = requestedMode(settings)
  const revealed = await readRevealed(deps)
  if (!revealed.ok) return revealed
  const { network } = settings.values
  const off = { mode: "off", network: "on", bwrap: null, reason: null } as const
  if (mode === "off" && network !== "on")
    return usage(phrase`--network ${network} needs a sandbox: leave out --sandbox off.`)
  if (mode === "off") return ok(off)
  const found = await availableSandbox(deps, { fresh: false })
  const reason = found.reason ?? (network === "hosts" && nsenterPath() === null ? noNsenter : null)
  if (found.bwrap !== null && reason === null) return ok({ mode, network, bwrap: found.bwrap, reason: null })
  if (requestedBy === null) return ok({ ...off, reason })
  return usage(
    phrase`${requestedBy} is not available here: ${reason ?? ""} (gong doctor explains). --sandbox off runs without it.`,
  )
}

/** Most sessions reveal nothing; the table of secrets is loaded on demand. */
export async function readRevealed({ config, services }: SandboxDeps): Promise<Outcome<Revealed>> {
  const reveal = config.settings.values["sandbox.reveal"]
  if (reveal.length === 0) return ok({ names: [], paths: [] })
  return (await import("./secrets.ts")).readReveal(reveal, services)
}

const noNsenter = phrase`nsenter (of util-linux) is not installed`

/** `requestedBy`: the option or setting that requests it, as a user writes it; null for a default. */
function requestedMode({ values, origins }: Settings): {
  readonly mode: SandboxMode
  readonly requestedBy: string | null
} {
  const { sandbox, network, permission } = values
  if (sandbox !== null) return { mode: sandbox, requestedBy: `${origins.sandbox} ${sandbox}` }
  const requestedBy = network === "on" ? null : `${origins.network} ${network}`
  if (permission === "plan") return { mode: "read-only", requestedBy }
  return { mode: permission === "full" && requestedBy === null ? "off" : "workspace", requestedBy }
}

/** `auto` with a sandbox or without a user; `ask` if a user must replace the sandbox (interface part 5 P). */
export function levelOf(settings: Settings, interactive: boolean, { mode }: Sandbox): PermissionLevel {
  return settings.values.permission ?? (interactive && mode === "off" ? "ask" : "auto")
}

/** The sandbox in the first event. */
export function sandboxInfo({ mode, network, reason }: Sandbox): SessionEvent["sandbox"] {
  const networkLimits = { on: [], hosts: ["hosts"], off: ["network"] }[network]
  const enforced = mode === "off" ? [] : ["files", "processes", ...networkLimits]
  return { mode, enforced, ...(reason === null ? {} : { reason: englishOf(reason) }) }
}
