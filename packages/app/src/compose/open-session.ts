import { phrase } from "@gong/spec"
import { hookRunner } from "@gong/loop"
import { keySources } from "./keys/keys.ts"
import { loadResources, type LoadingResources } from "./resources/resources.ts"
import { locateSession } from "./locate-session.ts"
import { existingTape, type OpenedTape } from "./tapes/tape.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { nextSlice } from "../ports.ts"
import type { Services } from "../services.ts"
import { assemble } from "./assemble.ts"
import type { OpenedSession, SessionOptions } from "./opened-session.ts"

export type { OpenedSession, SessionOptions }

/** Opens a session; the only place that chooses the implementations of its ports. */
export function openSession(
  spec: SessionSpec,
  services: Services,
  options: SessionOptions = {},
): Promise<Outcome<OpenedSession>> {
  return attempt(async () => {
    const { tape: choice = { kind: "new" }, interactive = false } = spec
    const shared = services.syncMode === "thread-pool"
    // Many sessions that open at once must not block the others.
    if (shared) await nextSlice()
    const { config, storage, stored } = must(await locateSession(services, spec, options.opened ?? null))
    const sources = keySources({ services, spec, config })
    // A reload must not use remembered registrations.
    const fresh = choice.kind === "fork" || options.opened !== undefined
    const loading = must(await loadResources({ services, spec, config, sources, interactive, fresh, shared }))
    let existing: OpenedTape | null = null
    try {
      if (choice.kind === "fork") must(await checkForkGates(services, options, loading, choice.session))
      existing = options.opened
        ? continued(options.opened)
        : must(await existingTape(storage, stored, choice.kind === "fork"))
      const persistent = choice.kind !== "memory"
      const context = { services, spec, interactive, persistent, options, config, sources, loading, storage, existing }
      return await assemble(context)
    } catch (error) {
      await existing?.abandon()
      loading.end()
      throw error
    }
  })
}

function continued(opened: OpenedTape): OpenedTape {
  return { ...opened, resumed: true, abandon: async () => undefined }
}

async function checkForkGates(
  { clock }: Services,
  options: SessionOptions,
  loading: LoadingResources,
  session: string,
): Promise<Outcome<null>> {
  const hooks = [...(options.hooks ?? []), ...(await loading.extensions).hooks]
  const gated = await hookRunner(hooks, { clock, sessionId: session }).beforeSessionOp("fork", { session })
  return gated.answer === "ok" ? ok(null) : usage(phrase`--fork ${session}: not forked: ${gated.reason}`)
}
