import { type App, build, type SessionOptions } from "../../build.ts"
import { chooseModelFor } from "../../build/choices.ts"
import { tapePlace } from "../../build/place.ts"
import { sessionNamed } from "../../build/tape.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, must, type Outcome, usage } from "../../config/usage.ts"
import type { Target } from "../../modes/rpc/ports.ts"
import { type Answer, refuse } from "../../modes/rpc/protocol.ts"
import type { World } from "../../world.ts"
import { answerOf } from "./answers.ts"

/** Opens another session beside the one that is open, by the same options of the command line. */
export async function openTarget(world: World, options: Options, app: App, target: Target): Promise<Answer<App>> {
  const { continue: _, session: __, sessionId: ___, fork: ____, name: _____, ...rest } = options
  switch (target.kind) {
    case "new": {
      const name = target.name === undefined ? {} : { name: target.name }
      return answerOf(await keepingModel(app, await build(world, { ...rest, ...name }, true, like(app))))
    }
    case "stored":
      return stored(world, rest, app, target.session)
    case "fork":
      return answerOf(await forked(world, rest, app, target))
  }
}

/** A client that is served here is not held up by the disk of another session, or by that of a task. */
export const syncMode = "thread-pool"

function like({ choosing: { keyFor } }: App): SessionOptions {
  return { keyFor, syncMode }
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

async function stored(world: World, options: Options, app: App, wanted: string): Promise<Answer<App>> {
  const place = await tapePlace(world, options, syncMode)
  if (!place.ok) return answerOf(place)
  const found = await sessionNamed(place.value, wanted)
  if (!found.ok) return answerOf(found, "not_found")
  if (found.value.id === app.session.id) return refuse("bad_arguments", `Session ${wanted} is open already.`)
  return answerOf(await build(world, options, true, { ...like(app), stored: found.value }))
}

/** A copy is made and opened; one that cannot be opened is removed again. */
function forked(
  world: World,
  options: Options,
  app: App,
  { entry }: Extract<Target, { kind: "fork" }>,
): Promise<Outcome<App>> {
  return attempt(async () => {
    if (app.info.tape === null) return must(usage("a session that is not kept cannot be copied."))
    const place = must(await tapePlace(world, options, syncMode))
    const { cwd, folder } = place.workspace
    const at = entry === undefined ? {} : { entry }
    const fork = await place.sessions.fork(app.opened.tape.store, { place: { cwd, workspace: folder }, ...at })
    const built = await keepingModel(app, await build(world, options, true, { ...like(app), stored: fork }))
    if (!built.ok) await place.sessions.discard(fork)
    return must(built)
  })
}
