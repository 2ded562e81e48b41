import { phrase } from "@gong/spec"
import type { SessionEvent } from "@gong/spec"
import { type App, build } from "../../build.ts"
import { chooseModelFor } from "../../build/choices.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, must, ok, type Outcome, usage } from "../../config/usage.ts"
import { firstLine, leaveApp } from "../../run.ts"
import type { Target } from "../../slash/command.ts"
import type { World } from "../../world.ts"
import type { Translate } from "../../texts/translator.ts"

/** A conversation, whichever session it is in. */
export interface Desk {
  readonly app: App
  /** All that sessions came to which were left for others is on the disk. */
  readonly kept: boolean
  /** Leaves the open session and goes on in another one; nothing has changed when that cannot be done. */
  open(target: Target): Promise<Outcome<SessionEvent>>
}

export function deskOf(world: World, options: Options, first: App): Desk {
  let app = first
  let kept = true
  const sitDown = async (next: App, keeps?: "tape"): Promise<Outcome<SessionEvent>> => {
    const before = app
    app = next
    kept = (await leaveApp(world, before, keeps)) && kept
    for (const line of [greeting(world.t, next), ...next.lines]) world.err(`${line}\n`)
    return ok(next.info)
  }
  return {
    get app() {
      return app
    },
    get kept() {
      return kept
    },
    async open(target) {
      if (app.session.running) return usage(phrase`a run works. Wait for it, or stop it.`)
      if (target.kind === "reload") {
        const again = await reloaded(world, options, app)
        return again.ok ? sitDown(again.value, "tape") : again
      }
      const { session } = app
      if (target.kind === "fork" && target.entry !== undefined && !session.history.has(target.entry))
        return usage(phrase`this session has no step ${target.entry}.`)
      const why = await session.mayLeave(target.kind === "fork" ? "fork" : "switch", { ...target })
      if (why !== null) return usage(phrase`the session is not left: ${why}`)
      const { openTarget } = await import("../rpc/open-target.ts")
      const opened = await openTarget(
        world,
        options,
        app,
        target.kind === "fork" ? { ...target, session: session.id } : target,
      )
      return opened.ok ? sitDown(opened.data) : usage(opened.error.message)
    },
  }
}

/** Who is asked from here on: what was chosen may differ from what the session was opened with. */
function greeting(t: Translate, { chosen, info, session }: App): string {
  const { provider, id } = session.selection.provider.model
  const now = { ...info, model: `${provider}/${id}`, permission: session.permission }
  return `${info.resumed ? "" : t`New session · `}${firstLine(t, { chosen, info: now })}`
}

/** The same tape with all else made anew. What was chosen since it was opened stays chosen. */
function reloaded(world: World, options: Options, app: App): Promise<Outcome<App>> {
  return attempt(async () => {
    const { continue: _, session: __, sessionId: ___, fork: ____, name: _____, ...rest } = options
    const next = must(await build(world, rest, true, { opened: app.opened, keyFor: app.choosing.keyFor }))
    try {
      await keepChoices(app, next)
      return next
    } catch (error) {
      await next.leave("tape")
      throw error
    }
  })
}

async function keepChoices({ session, chosen, info }: App, next: App): Promise<void> {
  const { provider, thinking } = session.selection
  const { id, provider: by } = provider.model
  if (by !== chosen.model.provider || id !== chosen.model.id)
    must(await chooseModelFor(next.session, next.choosing, `${by}/${id}`))
  if (thinking !== chosen.thinking) next.session.selectModel({ thinking })
  if (session.permission !== info.permission) await next.session.setPermission(session.permission)
}
