import { type Diagnostic, diagnosticPhrase, type Hook, phrase } from "@gong/spec"
import type { Registrations } from "@gong/extensions/protocol"
import { createExtensionReporter } from "@gong/extensions/reporter"
import type { Session } from "@gong/session/session"
import type { Translate } from "@gong/texts/translator"
import { deferredStart, earlyExtensions, loadedEarly, sameRegistrations } from "./deferred-start.ts"
import type {
  ConfiguredExtension,
  Contributions,
  ExtensionOptions,
  RenewableParts,
  SessionExtensions,
} from "./extension-parts.ts"
import { registeredBy, type RegisteredDeps } from "./registered.ts"
import { threadFor } from "./thread-start.ts"

/** Loads extensions in a thread of their own, which sessions of one process share; `end` may be called at any time. */
export function loadExtensions(
  t: Translate,
  place: ExtensionOptions,
  extensions: readonly ConfiguredExtension[],
  found: readonly Diagnostic[],
): { readonly all: Promise<SessionExtensions>; end(): void } {
  const reporter = createExtensionReporter()
  const { host, known } = threadFor(place, extensions, reporter.add)
  let ask: Session["ask"] = null
  const deps = { t, host, reporter, extensions, registry: place.config.registry, asking: () => ask }
  const state: LoadState = { interactive: place.interactive === true, settled: host.registrations }
  const early = known === null ? [] : earlyExtensions(known)
  // In a conversation the thread starts while the user types.
  const atOnce = known === null || ((state.interactive || early.length > 0) && place.listOnly !== true)
  if (atOnce) host.begin(early)
  const gather = async (): Promise<SessionExtensions> => {
    const registered = await registeredBy(deps, known ?? (await host.registrations))
    const { lines, diagnostics } = reporter.take()
    const all: SessionExtensions = {
      ...registered,
      hooks: known === null ? registered.hooks : [waitingHook(deps, known, state), ...registered.hooks],
      lines,
      diagnostics: [...found, ...diagnostics, ...registered.diagnostics],
      follow(parts) {
        if (known !== null) state.settled = renewed(deps, known, all, parts)
      },
      sendTo(receiver, asks) {
        ask = asks
        reporter.sendTo(receiver)
      },
      end: host.end,
    }
    return all
  }
  return { all: gather(), end: host.end }
}

interface LoadState {
  readonly interactive: boolean
  /** Resolves when all are loaded, and the session has what they registered. */
  settled: Promise<unknown>
}

/** Waits for extensions that the session knows only from earlier loads. */
function waitingHook({ host }: RegisteredDeps, known: ReadonlyMap<number, Registrations>, state: LoadState): Hook {
  const settled = () => state.settled
  const early = earlyExtensions(known).length === 0 ? null : () => loadedEarly(host, known, settled)
  const observed = [...known.values()].some(({ events }) => events.length > 0)
  return deferredStart({ host, settled, observed, first: state.interactive ? settled : early })
}

/** If the load registers something else than was known, a session continues with that. Does not reject unhandled. */
function renewed(
  deps: RegisteredDeps,
  known: ReadonlyMap<number, Registrations>,
  all: { -readonly [K in keyof Contributions]: Contributions[K] },
  parts: RenewableParts,
): Promise<void> {
  const renew = async (registrations: ReadonlyMap<number, Registrations>): Promise<void> => {
    if (deps.host.ended || sameRegistrations(registrations, known)) return
    const now = await registeredBy(deps, registrations)
    const { hooks, sources } = parts
    // Those of extensions are last in both lists; the first hook waits for the load and stays.
    hooks.splice(hooks.length - all.hooks.length + 1, all.hooks.length - 1, ...now.hooks)
    sources.splice(sources.length - all.tools.length, all.tools.length, ...now.tools)
    const { tools, commands, rows, renderers } = now
    Object.assign(all, { tools, hooks: now.hooks, commands, rows, renderers })
    parts.renewed()
    for (const line of [otherRegistrations, ...now.diagnostics.map(diagnosticPhrase)]) deps.reporter.notify(line)
  }
  const settled = deps.host.registrations.then(renew)
  // Everything that waits for it receives the error.
  settled.catch(() => undefined)
  return settled
}

const otherRegistrations = phrase`What extensions bring is not what it was the last times, though their files are the same (gong doctor lists it). Gates and commands count from now on, new tools from the next message on, models, skills, templates and themes from the next start on.`
