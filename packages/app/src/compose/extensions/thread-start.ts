import { childEnvironment } from "@gong/tools"
import { filesOf } from "@gong/extensions/failed-gate"
import { type Asleep, type ExtensionHost, extensionHost } from "@gong/extensions/host/host"
import { type LoadTimeouts, loadTimeouts } from "@gong/extensions/host/load-timeouts"
import { digestOf, memoryFile, recallRegistrations, setKey, textOf } from "@gong/extensions/host/memory"
import { createSharedHosts, type Notify } from "@gong/extensions/host/shared-hosts"
import { threadOpener } from "@gong/extensions/host/thread"
import type { Registrations, WorkerBegin } from "@gong/extensions/protocol"
import type { ThreadEvent } from "@gong/extensions/reporter"
import { systemClock } from "../../ports.ts"
import { keyNames, keyRing } from "../keys/keys.ts"
import { cacheFolder, type ConfiguredExtension, type ExtensionOptions } from "./extension-parts.ts"

/** A thread that can be started. */
export interface ThreadStart {
  readonly host: ExtensionHost
  /** What the extensions registered at earlier loads; null: not known, or not wanted. */
  readonly known: ReadonlyMap<number, Registrations> | null
}

/** Chooses the thread of a session: its own, or one that sessions of this process share. It is not started yet. */
export function threadFor(
  place: ExtensionOptions,
  extensions: readonly ConfiguredExtension[],
  notify: (event: ThreadEvent) => void,
): ThreadStart {
  const { fresh = false, shared = false } = place
  const { begin, knownTimeouts, timeouts } = hostInput(place, extensions)
  const env = environment(place)
  const open = threadOpener({ clock: systemClock, env: () => env })
  const make = (to: Notify): ExtensionHost =>
    extensionHost({ clock: systemClock, begin, knownTimeouts: knownTimeouts, open, notify: to })
  const notifyAndStore = (event: ThreadEvent): void => {
    if (event.kind === "off" && event.load === "timeout") timeouts.set(event.extension, event.problem)
    notify(event)
  }
  const host = shared
    ? hosts.attach({ key: threadKey(place, { begin, knownTimeouts, env }), fresh, start: make, notify: notifyAndStore })
    : make(notifyAndStore)
  const recalled = fresh || begin.memory === null ? null : recallRegistrations(begin.memory, env)
  return { host, known: recalled && new Map([...host.assumed, ...recalled]) }
}

/** Of all sessions of this process. */
const hosts = createSharedHosts()

interface HostInput {
  readonly begin: WorkerBegin
  readonly knownTimeouts: readonly Asleep[]
  readonly timeouts: LoadTimeouts
}

/** Extensions whose last load timed out are not loaded, unless the current state is asked for. */
function hostInput(place: ExtensionOptions, extensions: readonly ConfiguredExtension[]): HostInput {
  const { services, config, fresh = false } = place
  const { cwd, folder: workspace } = config.workspace
  const cache = cacheFolder(config)
  const all = { gong: services.version, cwd, workspace, cache, memory: null, extensions }
  const timeouts = loadTimeouts(all, services.node)
  if (fresh) for (const one of extensions) timeouts.delete(one)
  const problems = new Map(extensions.map((one) => [one, timeouts.get(one)]))
  const knownTimeouts = [...problems].flatMap(([extension, problem]) =>
    problem === null ? [] : [{ extension, problem }],
  )
  const begin = { ...all, extensions: extensions.filter((one) => problems.get(one) === null) }
  const memory = cache === null ? null : memoryFile(cache, begin, services.node)
  return { begin: { ...begin, memory }, knownTimeouts, timeouts }
}

/** Sessions share a thread whose extensions are the same files with the same settings, environment and trust. */
function threadKey(
  { services }: ExtensionOptions,
  {
    begin,
    knownTimeouts,
    env,
  }: Pick<HostInput, "begin" | "knownTimeouts"> & { readonly env: Readonly<Record<string, string>> },
): string {
  const all = [...begin.extensions, ...knownTimeouts.map(({ extension }) => extension)]
  const files = all.flatMap(({ path, boundary }) => [
    ...filesOf(path).map((file) => [file, digestOf(textOf(file) ?? "")]),
    ...(boundary === null ? [] : boundary.files),
  ])
  return JSON.stringify([setKey(begin, all, services.node), begin.extensions.length, env, files])
}

/** The environment of the thread, without keys of models. */
function environment({ services, spec, config, sources }: ExtensionOptions): Readonly<Record<string, string>> {
  const { values } = config.settings
  return childEnvironment(services.env, {
    keyNames: keyNames(sources, spec),
    keyValues: keyRing(sources, []).initial,
    allow: [...values["env.allow"], ...(spec.env ?? [])],
    deny: values["env.deny"],
  }).env
}
