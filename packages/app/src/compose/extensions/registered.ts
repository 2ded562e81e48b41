import type { Registry } from "@gong/llm"
import type { ShowCall } from "@gong/spec"
import type { ExtensionHost } from "@gong/extensions/host/host"
import { type Registrations, resourceKinds } from "@gong/extensions/protocol"
import { remoteHooks, remoteTool } from "@gong/extensions/remote/remote"
import { remoteRenderer } from "@gong/extensions/remote/remote-renderer"
import type { ExtensionReporter } from "@gong/extensions/reporter"
import type { Session } from "@gong/session/session"
import type { Translate } from "@gong/texts/translator"
import { systemClock } from "../../ports.ts"
import { extensionCommands, commandHook } from "./extension-commands.ts"
import type { ConfiguredExtension, Contributions, LoadedExtension } from "./extension-parts.ts"

export interface RegisteredDeps {
  readonly t: Translate
  readonly host: ExtensionHost
  readonly reporter: ExtensionReporter
  readonly extensions: readonly ConfiguredExtension[]
  readonly registry: Registry
  /** How the session asks the user; null until it is open. */
  asking(): Session["ask"]
}

/** What extensions add to a session, made of the plain data of their registrations. */
export async function registeredBy(
  deps: RegisteredDeps,
  byId: ReadonlyMap<number, Registrations>,
): Promise<Contributions> {
  const { t, host, reporter, extensions, registry, asking } = deps
  const all = extensions.map((extension) => ({ extension, registrations: byId.get(extension.id) ?? null }))
  const loaded = all.flatMap(({ extension: { id, name, path, level }, registrations }) =>
    registrations === null ? [] : [{ remote: { id, name, host }, path, level, registrations }],
  )
  const { commands, collisions } = extensionCommands(loaded)
  const { providers, refused } = await providersOf(loaded, registry)
  const hooks = loaded.flatMap(({ remote, registrations }) => remoteHooks(remote, registrations))
  return {
    tools: loaded.map(({ remote, registrations }) => ({
      from: `the extension ${remote.name}`,
      tools: registrations.tools.map((tool) => remoteTool(remote, tool)),
    })),
    hooks: commands.length === 0 ? hooks : [commandHook(commands, reporter, asking), ...hooks],
    commands,
    providers,
    renderers: renderersOf(loaded, reporter),
    diagnostics: [...collisions, ...refused],
    resources: loaded.map(({ level, registrations }) => ({ level, paths: registrations.resources })),
    rows: all.map(({ extension: { id, name, path, level }, registrations }) => ({
      name,
      path,
      level,
      brings: registrations && !host.isOff(id) ? registrationText(t, registrations) : null,
    })),
  }
}

async function providersOf(loaded: readonly LoadedExtension[], registry: Registry) {
  if (loaded.every(({ registrations }) => registrations.providers.length === 0)) return { providers: [], refused: [] }
  const { extensionProviders } = await import("../models/extension-providers.ts")
  return extensionProviders(loaded, registry)
}

/** Of two renderers of one tool the first is used. */
function renderersOf(loaded: readonly LoadedExtension[], reporter: ExtensionReporter): ReadonlyMap<string, ShowCall> {
  const all = new Map<string, ShowCall>()
  for (const { remote, registrations } of loaded)
    for (const tool of registrations.renderers)
      if (!all.has(tool)) all.set(tool, remoteRenderer(remote, tool, { clock: systemClock, notify: reporter.notify }))
  return all
}

function registrationText(t: Translate, registrations: Registrations): string {
  const { tools, commands, hooks, providers, renderers, events, resources } = registrations
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
