import type { Registry } from "@gong/llm"
import { phrase, type ShowCall, type Diagnostic, diagnosticPhrase } from "@gong/spec"
import { childEnvironment } from "@gong/tools"
import { type Asleep, type ExtensionHost, extensionHost } from "@gong/extensions/host/host"
import { loadTimeouts, type LoadTimeouts } from "@gong/extensions/host/load-timeouts"
import { filesOf } from "@gong/extensions/failed-gate"
import { digestOf, memoryFile, recall, setKey, textOf } from "@gong/extensions/host/memory"
import { type ThreadEvent, type ExtensionReporter, createExtensionReporter } from "@gong/extensions/reporter"
import { type Offers, resourceKinds, type WorkerBegin } from "@gong/extensions/protocol"
import { remoteRenderer } from "@gong/extensions/remote/remote-renderer"
import { remoteHooks, remoteTool } from "@gong/extensions/remote/remote"
import { createSharedHosts, type Notify } from "@gong/extensions/host/shared-hosts"
import { threadOpener } from "@gong/extensions/host/thread"
import { systemClock } from "../../ports.ts"
import type { Session } from "@gong/session/session"
import { deferredStart, earlyOf, loadedEarly, sameOffers } from "./deferred-start.ts"
import { keyNames, keyRing } from "../keys/keys.ts"
import {
  type BegunExtension,
  type Brought,
  cacheFolder,
  type ExtensionPlace,
  type Following,
  type SessionExtensions,
  type There,
} from "./extension-parts.ts"
import { commandsOf, typedCommands } from "./extension-commands.ts"
import type { Translate } from "@gong/texts/translator"

/** Loads extensions in a thread of their own, which sessions of one process share; `end` may be called at any time. */
export function loadExtensions(
  t: Translate,
  place: ExtensionPlace,
  extensions: readonly BegunExtension[],
  found: readonly Diagnostic[],
): { readonly all: Promise<SessionExtensions>; end(): void } {
  const { begin, asleep, late } = beginOf(place, extensions)
  const env = environment(place)
  const reporter = createExtensionReporter()
  let ask: Session["ask"] = null
  const open = threadOpener({ clock: systemClock, env: () => env })
  const make = (notify: Notify): ExtensionHost => extensionHost({ clock: systemClock, begin, asleep, open, notify })
  const notify = (news: ThreadEvent): void => {
    if (news.kind === "off" && news.load === "late") late.keep(news.extension, news.problem)
    reporter.add(news)
  }
  const host =
    place.shared === true
      ? hosts.attach({ key: threadKey(place, { begin, asleep, env }), fresh: place.fresh === true, make, notify })
      : make(notify)
  const recalled = place.fresh === true || begin.memory === null ? null : recall(begin.memory, env)
  const known = recalled && new Map([...host.asleep, ...recalled])
  const at: Loading = {
    host,
    reporter,
    extensions,
    interactive: place.interactive === true,
    registry: place.config.registry,
    settled: host.offers,
    asking: () => ask,
  }
  const early = known === null ? [] : earlyOf(known)
  // A prompt is typed for longer than this takes.
  const atOnce = known === null || ((at.interactive || early.length > 0) && place.onlyLooks !== true)
  if (atOnce) host.begin(early)
  const gather = async (): Promise<SessionExtensions> => {
    const brought = await (known === null ? broughtBy(t, at, await host.offers) : broughtBehind(t, at, known))
    const { lines, diagnostics } = reporter.take()
    const all = {
      ...brought,
      lines,
      diagnostics: [...found, ...diagnostics, ...brought.diagnostics],
      sendTo(receiver: Parameters<ExtensionReporter["sendTo"]>[0], asks: Session["ask"]) {
        ask = asks
        reporter.sendTo(receiver)
      },
      end: host.end,
    }
    return Object.assign(all, { follow: known === null ? () => undefined : follower(t, at, known, all) })
  }
  return { all: gather(), end: host.end }
}

/** Of all sessions of this process. */
const hosts = createSharedHosts()

/** Sessions share a thread whose extensions are the same files with the same settings, environment and trust. */
function threadKey(
  { services }: ExtensionPlace,
  { begin, asleep, env }: Pick<Beginning, "begin" | "asleep"> & { readonly env: Readonly<Record<string, string>> },
): string {
  const all = [...begin.extensions, ...asleep.map(({ extension }) => extension)]
  const files = all.flatMap(({ path, fence }) => [
    ...filesOf(path).map((file) => [file, digestOf(textOf(file) ?? "")]),
    ...(fence === null ? [] : fence.files),
  ])
  return JSON.stringify([setKey(begin, all, services.node), begin.extensions.length, env, files])
}

async function providersOf(there: readonly There[], registry: Registry) {
  if (there.every(({ offers }) => offers.providers.length === 0)) return { providers: [], refused: [] }
  const { broughtProviders } = await import("../models/brought-providers.ts")
  return broughtProviders(there, registry)
}

interface Loading {
  readonly host: ExtensionHost
  readonly reporter: ExtensionReporter
  readonly extensions: readonly BegunExtension[]
  readonly interactive: boolean
  readonly registry: Registry
  /** All have been loaded, and the session has what they bring. */
  settled: Promise<unknown>
  asking(): Session["ask"]
}

interface Beginning {
  readonly begin: WorkerBegin
  readonly asleep: readonly Asleep[]
  readonly late: LoadTimeouts
}

/** Those that are known not to end their load are left out, but where somebody wants to know how things are now. */
function beginOf(place: ExtensionPlace, extensions: readonly BegunExtension[]): Beginning {
  const { services, config, fresh = false } = place
  const { cwd, folder: workspace } = config.workspace
  const cache = cacheFolder(config)
  const all = { gong: services.version, cwd, workspace, cache, memory: null, extensions }
  const late = loadTimeouts(all, services.node)
  if (fresh) for (const one of extensions) late.forget(one)
  const problems = new Map(extensions.map((one) => [one, late.recall(one)]))
  const asleep = [...problems].flatMap(([extension, problem]) => (problem === null ? [] : [{ extension, problem }]))
  const begin = { ...all, extensions: extensions.filter((one) => problems.get(one) === null) }
  const memory = cache === null ? null : memoryFile(cache, begin, services.node)
  return { begin: { ...begin, memory }, asleep, late }
}

/** What is taken for known while the thread loads it. */
async function broughtBehind(t: Translate, at: Loading, known: ReadonlyMap<number, Offers>): Promise<Brought> {
  const { host, interactive } = at
  const all = [...known.values()]
  const brought = await broughtBy(t, at, known)
  const observed = all.some(({ events }) => events.length > 0)
  const settled = () => at.settled
  const first = interactive ? settled : earlyOf(known).length === 0 ? null : () => loadedEarly(host, known, settled)
  return { ...brought, hooks: [deferredStart({ host, settled, observed, first }), ...brought.hooks] }
}

async function broughtBy(
  t: Translate,
  { host, reporter, extensions, registry, asking }: Loading,
  offers: ReadonlyMap<number, Offers>,
): Promise<Brought> {
  const brought = extensions.map((extension) => ({ extension, offers: offers.get(extension.id) ?? null }))
  const there = brought.flatMap(({ extension: { id, name, path, level }, offers: its }) =>
    its === null ? [] : [{ remote: { id, name, host }, path, level, offers: its }],
  )
  const { commands, collisions } = commandsOf(there)
  const { providers, refused } = await providersOf(there, registry)
  const hooks = there.flatMap(({ remote, offers: its }) => remoteHooks(remote, its))
  return {
    tools: there.map(({ remote, offers: its }) => ({
      from: `the extension ${remote.name}`,
      tools: its.tools.map((tool) => remoteTool(remote, tool)),
    })),
    hooks: commands.length === 0 ? hooks : [typedCommands(commands, reporter, asking), ...hooks],
    commands,
    providers,
    renderers: renderersOf(there, reporter),
    diagnostics: [...collisions, ...refused],
    resources: brought.flatMap(({ extension: { level }, offers: its }) =>
      its === null ? [] : [{ level, paths: its.resources }],
    ),
    rows: brought.map(({ extension: { id, name, path, level }, offers: its }) => ({
      name,
      path,
      level,
      brings: its && !host.isOff(id) ? bringsText(t, its) : null,
    })),
  }
}

/** When the thread has loaded other things than were known, a session goes on with those. */
function follower(
  t: Translate,
  at: Loading,
  known: ReadonlyMap<number, Offers>,
  all: { -readonly [K in keyof Brought]: Brought[K] },
) {
  return ({ hooks, sources, renewed }: Following): void => {
    const renew = async (offers: ReadonlyMap<number, Offers>): Promise<void> => {
      if (at.host.ended || sameOffers(offers, known)) return
      const now = await broughtBy(t, at, offers)
      // Those of extensions stand last in both lists, and what waits for the load before them.
      hooks.splice(hooks.length - all.hooks.length + 1, all.hooks.length - 1, ...now.hooks)
      sources.splice(sources.length - all.tools.length, all.tools.length, ...now.tools)
      Object.assign(all, {
        tools: now.tools,
        hooks: now.hooks,
        commands: now.commands,
        rows: now.rows,
        renderers: now.renderers,
      })
      renewed()
      for (const line of [otherThings, ...now.diagnostics.map(diagnosticPhrase)]) at.reporter.notify(line)
    }
    at.settled = at.host.offers.then(renew)
    // Who waits for it hears of it.
    at.settled.catch(() => undefined)
  }
}

const otherThings = phrase`What extensions bring is not what it was the last times, though their files are the same (gong doctor lists it). Gates and commands count from now on, new tools from the next message on, models, skills, templates and themes from the next start on.`

/** What the thread may know: no key of a model. */
function environment({ services, spec, config, sources }: ExtensionPlace): Readonly<Record<string, string>> {
  const { values } = config.settings
  return childEnvironment(services.env, {
    keyNames: keyNames(sources, spec),
    keyValues: keyRing(sources, []).held,
    allow: [...values["env.allow"], ...(spec.env ?? [])],
    deny: values["env.deny"],
  }).env
}

function renderersOf(there: readonly There[], reporter: ExtensionReporter): ReadonlyMap<string, ShowCall> {
  const all = new Map<string, ShowCall>()
  for (const { remote, offers } of there)
    for (const tool of offers.renderers)
      if (!all.has(tool)) all.set(tool, remoteRenderer(remote, tool, { clock: systemClock, notify: reporter.notify }))
  return all
}

function bringsText(t: Translate, { tools, commands, hooks, providers, renderers, events, resources }: Offers): string {
  const words = [
    ...tools.map(({ name }) => name),
    ...commands.map(({ name }) => `/${name}`),
    ...providers.map(({ name }) => `${name}/...`),
    ...renderers.map((tool) => t`how ${tool} is shown`),
    ...hooks.flatMap(({ callbacks }) => callbacks),
    ...events,
    ...resourceKinds.filter((kind) => resources[kind].length > 0),
  ]
  return words.length === 0 ? t`nothing` : words.join(", ")
}
