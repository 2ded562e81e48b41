import type { Registry } from "@gong/llm"
import type { Hook } from "@gong/spec"
import { childEnvironment } from "@gong/tools"
import type { CommandAnswer } from "../extensions/api.ts"
import { type ExtensionHost, extensionHost } from "../extensions/host.ts"
import { newsDesk } from "../extensions/news.ts"
import { type Offers, resourceKinds } from "../extensions/protocol.ts"
import { type Remote, remoteHooks, remoteTool } from "../extensions/remote.ts"
import { threadOpener } from "../extensions/thread.ts"
import { signalAfter, systemClock } from "../ports.ts"
import type { Diagnostic } from "../diagnostic.ts"
import { slashCommands } from "../slash/registry.ts"
import { keyNames, keyRing } from "./keys.ts"
import {
  type BegunExtension,
  cacheFolder,
  type ExtensionPlace,
  type RemoteCommand,
  type SessionExtensions,
} from "./extensions.ts"

/** Loads extensions in a thread of their own; `end` may be called at any time. */
export function loadExtensions(
  place: ExtensionPlace,
  extensions: readonly BegunExtension[],
  found: readonly Diagnostic[],
): { readonly all: Promise<SessionExtensions>; end(): void } {
  const { world, config } = place
  const { cwd, folder: workspace } = config.workspace
  const desk = newsDesk()
  const host = extensionHost({
    clock: systemClock,
    begin: { gong: world.version, cwd, workspace, cache: cacheFolder(config), extensions },
    open: threadOpener({ clock: systemClock, env: () => environment(place) }),
    told: desk.told,
  })
  const gather = async (): Promise<SessionExtensions> => {
    const offers = await host.offers
    const brought = extensions.map((extension) => ({ extension, offers: offers.get(extension.id) ?? null }))
    const there = brought.flatMap(({ extension: { id, name, path, level }, offers: its }) =>
      its === null ? [] : [{ remote: { id, name, host }, path, level, offers: its }],
    )
    const { commands, collisions } = commandsOf(there)
    const { providers, refused } = await providersOf(there, config.registry)
    const { lines, diagnostics } = desk.take()
    const hooks = there.flatMap(({ remote, offers: its }) => remoteHooks(remote, its))
    return {
      tools: there.map(({ remote, offers: its }) => ({
        from: `the extension ${remote.name}`,
        tools: its.tools.map((tool) => remoteTool(remote, tool)),
      })),
      hooks: commands.length === 0 ? hooks : [typedCommands(commands, desk), ...hooks],
      commands,
      providers,
      lines,
      diagnostics: [...found, ...diagnostics, ...collisions, ...refused],
      resources: brought.flatMap(({ extension: { level }, offers: its }) =>
        its === null ? [] : [{ level, paths: its.resources }],
      ),
      rows: brought.map(({ extension: { name, path, level }, offers: its }) => ({
        name,
        path,
        level,
        brings: its && bringsText(its),
      })),
      handOver: desk.handOver,
      end: host.end,
    }
  }
  return { all: gather(), end: host.end }
}

async function providersOf(there: readonly There[], registry: Registry) {
  if (there.every(({ offers }) => offers.providers.length === 0)) return { providers: [], refused: [] }
  const { broughtProviders } = await import("./brought-providers.ts")
  return broughtProviders(there, registry)
}

/** What the thread may know: no key of a model. */
function environment({ world, options, config, sources }: ExtensionPlace): Readonly<Record<string, string>> {
  const { values } = config.settings
  return childEnvironment(world.env, {
    keyNames: keyNames(sources, options),
    keyValues: keyRing(sources, []).held,
    allow: [...values["env.allow"], ...(options.env ?? [])],
    deny: values["env.deny"],
  }).env
}

/** One that has been loaded. */
export interface There {
  readonly remote: Remote
  readonly path: string
  readonly level: BegunExtension["level"]
  readonly offers: Offers
}

/** Gong's own commands keep their names, and of two extensions the first has it. */
function commandsOf(there: readonly There[]) {
  const taken = new Map(slashCommands.map(({ name }) => [name, "Gong"]))
  const commands: RemoteCommand[] = []
  const collisions: Diagnostic[] = []
  for (const { remote, path, offers } of there) {
    for (const { name, about, value } of offers.commands) {
      const whose = taken.get(name.toLowerCase())
      if (whose !== undefined) {
        const text = `the command /${name} is left out: ${whose} has one of this name. Rename it.`
        collisions.push({ type: "collision", path, line: null, text })
        continue
      }
      taken.set(name.toLowerCase(), `the extension ${remote.name}`)
      commands.push({ name, about, ...(value !== null && { value }), run: runner(remote, remote.host, name) })
    }
  }
  return { commands, collisions }
}

/** Milliseconds for a command, as for a tool. */
const commandTime = 600_000

function runner({ id }: Remote, host: ExtensionHost, key: string): RemoteCommand["run"] {
  return async (rest, { ask, signal = signalAfter(commandTime) }) => {
    const call = {
      extension: id,
      door: { door: "command", key } as const,
      args: [rest],
      interactive: ask !== undefined,
    }
    return (await host.call(call, { signal, ...(ask && { ask }) })) as CommandAnswer
  }
}

/** Commands in messages, where no conversation at a terminal has run them already: of `gong -p`, of rpc. */
function typedCommands(commands: readonly RemoteCommand[], desk: ReturnType<typeof newsDesk>): Hook {
  return {
    name: "commands of extensions",
    timeMs: commandTime,
    async onInput(text, _, { signal }) {
      const [, name = "", rest = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? []
      const command = commands.find((one) => one.name === name)
      if (command === undefined) return { answer: "passthrough" }
      const end = commandEnd(await command.run(rest.trim(), { signal }))
      if (end.prompt !== null) return { answer: "transform", text: end.prompt }
      for (const line of end.lines) desk.say(line)
      return { answer: "handled" }
    },
  }
}

/** Lines that one command may say. */
const maxLines = 1_000

/** What a command's answer means; nonsense is nothing. */
export function commandEnd(answer: unknown): { readonly lines: readonly string[]; readonly prompt: string | null } {
  if (typeof answer === "string") return { lines: answer.split("\n").slice(0, maxLines), prompt: null }
  if (Array.isArray(answer)) return { lines: answer.slice(0, maxLines).map(String), prompt: null }
  const prompt = typeof answer === "object" && answer !== null && "prompt" in answer ? answer.prompt : null
  return { lines: [], prompt: typeof prompt === "string" ? prompt : null }
}

function bringsText({ tools, commands, hooks, providers, events, resources }: Offers): string {
  const words = [
    ...tools.map(({ name }) => name),
    ...commands.map(({ name }) => `/${name}`),
    ...providers.map(({ name }) => `${name}/...`),
    ...hooks.flatMap(({ callbacks }) => callbacks),
    ...events,
    ...resourceKinds.filter((kind) => resources[kind].length > 0),
  ]
  return words.length === 0 ? "nothing" : words.join(", ")
}
