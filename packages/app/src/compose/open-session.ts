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

/** Opens a session, with every part chosen: the only place that knows which implementation stands behind a port. */
export function openSession(
  spec: SessionSpec,
  services: Services,
  own: SessionOptions = {},
): Promise<Outcome<OpenedSession>> {
  return attempt(async () => {
    const { tape: wanted = { kind: "new" }, interactive = false } = spec
    const shared = services.syncMode === "thread-pool"
    // Many that begin at once hold up no other session.
    if (shared) await nextSlice()
    const { config, place, stored } = must(await locateSession(services, spec, own.opened ?? null))
    const sources = keySources({ services, spec, config })
    // A reload is to show how things are now.
    const fresh = wanted.kind === "fork" || own.opened !== undefined
    const extended = { services, spec, config, sources, interactive, fresh, shared }
    const loading = must(await loadResources(extended))
    let existing: OpenedTape | null = null
    try {
      if (wanted.kind === "fork") must(await mayFork(services, own, loading, wanted.session))
      existing = own.opened ? goneOnWith(own.opened) : must(await existingTape(place, stored, wanted.kind === "fork"))
      const kept = wanted.kind !== "memory"
      return await assemble({ services, spec, interactive, kept, own, config, sources, loading, place, existing })
    } catch (error) {
      await existing?.abandon()
      loading.end()
      throw error
    }
  })
}

function goneOnWith(opened: OpenedTape): OpenedTape {
  return { ...opened, resumed: true, abandon: async () => undefined }
}

async function mayFork(
  { clock }: Services,
  own: SessionOptions,
  loading: LoadingResources,
  session: string,
): Promise<Outcome<null>> {
  const hooks = [...(own.hooks ?? []), ...(await loading.extensions).hooks]
  const gated = await hookRunner(hooks, { clock, sessionId: session }).beforeSessionOp("fork", { session })
  return gated.answer === "ok" ? ok(null) : usage(phrase`--fork ${session}: not forked: ${gated.reason}`)
}
