import { hostOf, phrase } from "@gong/spec"
import { type OpenedSession, openSession } from "../compose/open-session.ts"
import { chooseModelFor } from "../compose/models/choices.ts"
import { tapeStorage } from "../compose/tapes/storage.ts"
import { findSession } from "../compose/tapes/find-session.ts"
import type { SessionSpec, TapeChoice } from "@gong/config/session-spec"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import { type Answer, answerOf, refuse } from "./answer.ts"
import type { ControllerContext } from "./api.ts"

/** The session to open. */
export type Target =
  | { readonly kind: "new"; readonly name?: string }
  /** An id, part of an id, a name or a path. */
  | { readonly kind: "stored"; readonly session: string }
  /** A copy of the open session, up to one of its steps. */
  | { readonly kind: "fork"; readonly entry?: string }
  /** The open session, with current settings, keys, rules and context files. */
  | { readonly kind: "reload" }

/** Opens another session with the same spec; the open one stays open. */
export async function openTarget(
  context: ControllerContext,
  current: OpenedSession,
  target: Target,
): Promise<Answer<OpenedSession>> {
  const { name: _, ...spec } = context.spec
  const next = { ...context, spec: { ...spec, ...keyOf(current) } }
  switch (target.kind) {
    case "new":
      return answerOf(await withModelOf(current, await open(next, current, { ...target, tape: newTape(current) })))
    case "stored":
      return stored(next, current, target.session)
    case "fork":
      return answerOf(await forked(next, current, target))
    case "reload":
      return answerOf(await reloaded(next, current))
  }
}

/** In memory if the open session is, else on the disk. The tape of the spec is only for the first session. */
function newTape({ info }: OpenedSession): TapeChoice {
  return info.tape === null ? { kind: "memory" } : { kind: "new" }
}

function keyOf({ choices: { keyFor } }: OpenedSession): Pick<SessionSpec, "apiKeyFor"> {
  return keyFor === undefined ? {} : { apiKeyFor: keyFor }
}

/** Opens a session on the host of the current one. */
function open(
  { services, spec }: ControllerContext,
  { host }: OpenedSession,
  { name, tape }: { readonly name?: string; readonly tape: TapeChoice },
): Promise<Outcome<OpenedSession>> {
  const nextSpec = { ...spec, tape, host: host.id, ...(name === undefined ? {} : { name }) }
  return openSession(nextSpec, services)
}

/** Selects the model of the current session in the opened one. */
function withModelOf(current: OpenedSession, opened: Outcome<OpenedSession>): Promise<Outcome<OpenedSession>> {
  return attempt(async () => {
    const next = must(opened)
    const { provider, thinking } = current.session.selection
    const selected = `${provider.model.provider}/${provider.model.id}`
    const { model } = next.session.selection.provider
    try {
      if (`${model.provider}/${model.id}` !== selected) must(await chooseModelFor(next.session, next.choices, selected))
      next.session.selectModel({ thinking })
    } catch (error) {
      next.close()
      throw error
    }
    return next
  })
}

async function stored(
  context: ControllerContext,
  current: OpenedSession,
  query: string,
): Promise<Answer<OpenedSession>> {
  const { services, spec } = context
  const storage = await tapeStorage(services, spec)
  if (!storage.ok) return answerOf(storage)
  const found = await findSession(storage.value, query)
  if (!found.ok) return answerOf(found, "not_found")
  if (found.value.id === current.session.id) return refuse("bad_arguments", phrase`Session ${query} is already open.`)
  return answerOf(await open(context, current, { tape: { kind: "stored", session: found.value } }))
}

/** Creates and opens a copy; removes it if it cannot be opened. */
function forked(
  context: ControllerContext,
  current: OpenedSession,
  { entry }: Extract<Target, { kind: "fork" }>,
): Promise<Outcome<OpenedSession>> {
  const { services, spec } = context
  return attempt(async () => {
    if (current.info.tape === null) return must(usage(phrase`a session in memory cannot be copied.`))
    const storage = must(await tapeStorage(services, spec))
    const { store } = current.opened.tape
    const { host, cwd, folder } = storage.workspace
    const upTo = entry === undefined ? {} : { entry }
    // The current folder of the command line is on this machine.
    const place = host === hostOf(store.info) ? { place: { cwd, workspace: folder } } : {}
    const fork = await storage.sessions.fork(store, { ...place, ...upTo })
    const opened = await withModelOf(current, await open(context, current, { tape: { kind: "stored", session: fork } }))
    if (!opened.ok) await storage.sessions.discard(fork)
    return must(opened)
  })
}

/** The same tape with new dependencies; selections since its opening are kept. */
function reloaded(context: ControllerContext, current: OpenedSession): Promise<Outcome<OpenedSession>> {
  const { services, spec } = context
  return attempt(async () => {
    const next = must(await openSession({ ...spec, tape: newTape(current) }, services, { opened: current.opened }))
    try {
      await keepSelections(current, next)
      return next
    } catch (error) {
      await next.shutdown("tape")
      throw error
    }
  })
}

async function keepSelections({ session, chosen, info }: OpenedSession, next: OpenedSession): Promise<void> {
  const { provider, thinking } = session.selection
  const { id, provider: by } = provider.model
  if (by !== chosen.model.provider || id !== chosen.model.id)
    must(await chooseModelFor(next.session, next.choices, `${by}/${id}`))
  if (thinking !== chosen.thinking) next.session.selectModel({ thinking })
  if (session.permission !== info.permission) await next.session.setPermission(session.permission)
}
