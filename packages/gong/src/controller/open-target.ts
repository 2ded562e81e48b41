import { hostOf, phrase } from "@gong/spec"
import { type App, build, type SessionOptions } from "../build.ts"
import { chooseModelFor } from "../build/choices.ts"
import { tapePlace } from "../build/place.ts"
import { sessionNamed } from "../build/tape.ts"
import { attempt, must, type Outcome, usage } from "../config/usage.ts"
import { type Answer, answerOf, refuse } from "./answer.ts"
import type { ControllerContext } from "./controller.ts"

/** Which session to go on in. */
export type Target =
  | { readonly kind: "new"; readonly name?: string }
  /** By id, its beginning, its end, its name or path. */
  | { readonly kind: "stored"; readonly session: string }
  /** A copy of the open one, up to one of its steps. */
  | { readonly kind: "fork"; readonly entry?: string }
  /** The open one, with settings, keys, rules and context files as they are now. */
  | { readonly kind: "reload" }

/** Opens another session beside the one that is open, by the same options. */
export async function openTarget(context: ControllerContext, app: App, target: Target): Promise<Answer<App>> {
  const { continue: _, session: __, sessionId: ___, fork: ____, name: _____, ...options } = context.options
  const at = { ...context, options }
  switch (target.kind) {
    case "new": {
      const named = target.name === undefined ? options : { ...options, name: target.name }
      return answerOf(await keepingModel(app, await build(at.world, named, true, like(at, app))))
    }
    case "stored":
      return stored(at, app, target.session)
    case "fork":
      return answerOf(await forked(at, app, target))
    case "reload":
      return answerOf(await reloaded(at, app))
  }
}

function like({ syncMode }: ControllerContext, { choosing: { keyFor }, hosts, host }: App): SessionOptions {
  return { keyFor, hosts, host: host.id, ...(syncMode === undefined ? {} : { syncMode }) }
}

/** What was chosen for one session holds for the next one that begins from it. */
function keepingModel(app: App, built: Outcome<App>): Promise<Outcome<App>> {
  return attempt(async () => {
    const next = must(built)
    const { provider, thinking } = app.session.selection
    const before = `${provider.model.provider}/${provider.model.id}`
    const { model } = next.session.selection.provider
    try {
      if (`${model.provider}/${model.id}` !== before) must(await chooseModelFor(next.session, next.choosing, before))
      next.session.selectModel({ thinking })
    } catch (error) {
      next.close()
      throw error
    }
    return next
  })
}

async function stored(context: ControllerContext, app: App, wanted: string): Promise<Answer<App>> {
  const { world, options, syncMode } = context
  const place = await tapePlace(world, options, syncMode)
  if (!place.ok) return answerOf(place)
  const found = await sessionNamed(place.value, wanted)
  if (!found.ok) return answerOf(found, "not_found")
  if (found.value.id === app.session.id) return refuse("bad_arguments", phrase`Session ${wanted} is open already.`)
  return answerOf(await build(world, options, true, { ...like(context, app), stored: found.value }))
}

/** A copy is made and opened; one that cannot be opened is removed again. */
function forked(
  context: ControllerContext,
  app: App,
  { entry }: Extract<Target, { kind: "fork" }>,
): Promise<Outcome<App>> {
  const { world, options, syncMode } = context
  return attempt(async () => {
    if (app.info.tape === null) return must(usage(phrase`a session that is not kept cannot be copied.`))
    const place = must(await tapePlace(world, options, syncMode))
    const { store } = app.opened.tape
    const { host, cwd, folder } = place.workspace
    const at = entry === undefined ? {} : { entry }
    // Where the command line stands is a folder of this machine.
    const here = host === hostOf(store.info) ? { place: { cwd, workspace: folder } } : {}
    const fork = await place.sessions.fork(store, { ...here, ...at })
    const built = await keepingModel(app, await build(world, options, true, { ...like(context, app), stored: fork }))
    if (!built.ok) await place.sessions.discard(fork)
    return must(built)
  })
}

/** The same tape with all else made anew. What was chosen since it was opened stays chosen. */
function reloaded(context: ControllerContext, app: App): Promise<Outcome<App>> {
  const { world, options } = context
  return attempt(async () => {
    const next = must(await build(world, options, true, { ...like(context, app), opened: app.opened }))
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
