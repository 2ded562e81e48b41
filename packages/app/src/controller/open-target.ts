import { hostOf, phrase } from "@gong/spec"
import { type OpenedSession, openSession } from "../compose/open-session.ts"
import { chooseModelFor } from "../compose/models/choices.ts"
import { tapeStorage } from "../compose/tapes/storage.ts"
import { findSession } from "../compose/tapes/tape.ts"
import type { SessionSpec, TapeChoice } from "@gong/config/session-spec"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import { type Answer, answerOf, refuse } from "./answer.ts"
import type { ControllerContext } from "./api.ts"

/** The session to open. */
export type Target =
  | { readonly kind: "new"; readonly name?: string }
  /** By id, its beginning, its end, its name or path. */
  | { readonly kind: "stored"; readonly session: string }
  /** A copy of the open one, up to one of its steps. */
  | { readonly kind: "fork"; readonly entry?: string }
  /** The open one, with settings, keys, rules and context files as they are now. */
  | { readonly kind: "reload" }

/** Opens another session beside the one that is open, from the same spec. */
export async function openTarget(
  context: ControllerContext,
  app: OpenedSession,
  target: Target,
): Promise<Answer<OpenedSession>> {
  const { name: _, ...spec } = context.spec
  const at = { ...context, spec: { ...spec, ...keyOf(app) } }
  switch (target.kind) {
    case "new":
      return answerOf(await keepingModel(app, await open(at, app, { ...target, tape: sameKind(app) })))
    case "stored":
      return stored(at, app, target.session)
    case "fork":
      return answerOf(await forked(at, app, target))
    case "reload":
      return answerOf(await reloaded(at, app))
  }
}

/** In memory where the open session is, else on the disk; never the tape that a command line chose for the first session. */
function sameKind({ info }: OpenedSession): TapeChoice {
  return info.tape === null ? { kind: "memory" } : { kind: "new" }
}

function keyOf({ choices: { keyFor } }: OpenedSession): Pick<SessionSpec, "apiKeyFor"> {
  return keyFor === undefined ? {} : { apiKeyFor: keyFor }
}

/** A new one on the host of the session that is open. */
function open(
  { services, spec }: ControllerContext,
  { host }: OpenedSession,
  { name, tape }: { readonly name?: string; readonly tape: TapeChoice },
): Promise<Outcome<OpenedSession>> {
  const wanted = { ...spec, tape, host: host.id, ...(name === undefined ? {} : { name }) }
  return openSession(wanted, services)
}

/** What was chosen for one session holds for the next one that begins from it. */
function keepingModel(app: OpenedSession, built: Outcome<OpenedSession>): Promise<Outcome<OpenedSession>> {
  return attempt(async () => {
    const next = must(built)
    const { provider, thinking } = app.session.selection
    const before = `${provider.model.provider}/${provider.model.id}`
    const { model } = next.session.selection.provider
    try {
      if (`${model.provider}/${model.id}` !== before) must(await chooseModelFor(next.session, next.choices, before))
      next.session.selectModel({ thinking })
    } catch (error) {
      next.close()
      throw error
    }
    return next
  })
}

async function stored(context: ControllerContext, app: OpenedSession, wanted: string): Promise<Answer<OpenedSession>> {
  const { services, spec } = context
  const place = await tapeStorage(services, spec)
  if (!place.ok) return answerOf(place)
  const found = await findSession(place.value, wanted)
  if (!found.ok) return answerOf(found, "not_found")
  if (found.value.id === app.session.id) return refuse("bad_arguments", phrase`Session ${wanted} is open already.`)
  return answerOf(await open(context, app, { tape: { kind: "stored", session: found.value } }))
}

/** A copy is made and opened; one that cannot be opened is removed again. */
function forked(
  context: ControllerContext,
  app: OpenedSession,
  { entry }: Extract<Target, { kind: "fork" }>,
): Promise<Outcome<OpenedSession>> {
  const { services, spec } = context
  return attempt(async () => {
    if (app.info.tape === null) return must(usage(phrase`a session that is not kept cannot be copied.`))
    const place = must(await tapeStorage(services, spec))
    const { store } = app.opened.tape
    const { host, cwd, folder } = place.workspace
    const at = entry === undefined ? {} : { entry }
    // Where the command line stands is a folder of this machine.
    const here = host === hostOf(store.info) ? { place: { cwd, workspace: folder } } : {}
    const fork = await place.sessions.fork(store, { ...here, ...at })
    const built = await keepingModel(app, await open(context, app, { tape: { kind: "stored", session: fork } }))
    if (!built.ok) await place.sessions.discard(fork)
    return must(built)
  })
}

/** The same tape with all else made anew. What was chosen since it was opened stays chosen. */
function reloaded(context: ControllerContext, app: OpenedSession): Promise<Outcome<OpenedSession>> {
  const { services, spec } = context
  return attempt(async () => {
    const next = must(await openSession({ ...spec, tape: sameKind(app) }, services, { opened: app.opened }))
    try {
      await keepChoices(app, next)
      return next
    } catch (error) {
      await next.leave("tape")
      throw error
    }
  })
}

async function keepChoices({ session, chosen, info }: OpenedSession, next: OpenedSession): Promise<void> {
  const { provider, thinking } = session.selection
  const { id, provider: by } = provider.model
  if (by !== chosen.model.provider || id !== chosen.model.id)
    must(await chooseModelFor(next.session, next.choices, `${by}/${id}`))
  if (thinking !== chosen.thinking) next.session.selectModel({ thinking })
  if (session.permission !== info.permission) await next.session.setPermission(session.permission)
}
