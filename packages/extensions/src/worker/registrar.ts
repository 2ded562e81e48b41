import { phrase } from "@gong/spec"
import type {
  CommandContext,
  ExtensionApi,
  ExtensionEventName,
  ExtensionHook,
  ExtensionProvider,
  ExtensionTool,
  ModelRequest,
  ShownCall,
  ToolCallContext,
} from "../api.ts"
import {
  apiVersion,
  type Door,
  eventNames,
  type OfferedCommand,
  type OfferedHook,
  type OfferedProvider,
  type OfferedTool,
  type OfferedResources,
  type Offers,
  resourceKinds,
  type WorkerBegin,
  type WorkerExtension,
} from "../protocol.ts"
import { must } from "./own-error.ts"
import { commandOf, hookOf, providerOf, rendererOf, resourcesOf, toolOf } from "./offered.ts"

/** A function of an extension, called with plain data and with objects that exist only in this thread. */
export type Inside = (args: readonly unknown[], context: InsideContext) => unknown

export type InsideContext = ToolCallContext & CommandContext

export interface Registered {
  readonly offers: Offers
  /** Null if it has no such function. */
  inside(door: Door): Inside | null
}

export interface Registrar {
  readonly api: ExtensionApi
  /** Ends registration. */
  close(): Registered
}

/** Maximum registrations of each kind per extension. */
const maxOffers = 100

/** Registrations so far. */
interface Kept {
  readonly tools: Map<string, { offered: OfferedTool; inside: Inside }>
  readonly commands: Map<string, { offered: OfferedCommand; inside: Inside }>
  readonly hooks: { offered: OfferedHook; hook: ExtensionHook }[]
  readonly providers: Map<string, { offered: OfferedProvider; inside: Inside | null }>
  readonly renderers: Map<string, { offered: { name: string }; inside: Inside }>
  readonly looks: Map<string, ((event: unknown) => unknown)[]>
  readonly resources: Readonly<Record<keyof OfferedResources, string[]>>
}

function nothing(): Kept {
  return {
    tools: new Map(),
    commands: new Map(),
    hooks: [],
    providers: new Map(),
    renderers: new Map(),
    looks: new Map(),
    resources: { skills: [], prompts: [], themes: [] },
  }
}

/** The API object passed to an extension while it is loaded. Invalid registrations throw, at the author's line. */
export function registrarOf(
  extension: WorkerExtension,
  begin: WorkerBegin,
  say: (level: "info" | "warn", text: string) => void,
): Registrar {
  const kept = nothing()
  const { tools, commands, hooks, providers, renderers, looks, resources } = kept
  let closed = false
  const open = (what: string, count: number): void => {
    must(!closed, phrase`gong.${what}() works only while the extension is loaded`)
    must(count < maxOffers, phrase`gong.${what}(): ${maxOffers} are the most`)
  }
  const keep = <T extends { readonly offered: { readonly name: string } }>(
    what: string,
    all: Map<string, T>,
    one: T,
  ) => {
    const { name } = one.offered
    must(!all.has(name), phrase`gong.${what}(): there is "${name}" already`)
    all.set(name, one)
  }
  const api: ExtensionApi = {
    api: apiVersion,
    gong: begin.gong,
    name: extension.name,
    cwd: begin.cwd,
    workspace: begin.workspace,
    settings: extension.settings,
    tool(tool) {
      open("tool", tools.size)
      const offered = toolOf(tool as unknown as ExtensionTool)
      keep("tool", tools, { offered, inside: ([args], context) => tool.execute(args as never, context) })
    },
    command(command) {
      open("command", commands.size)
      const offered = commandOf(command)
      keep("command", commands, { offered, inside: ([rest], context) => command.run(String(rest), context) })
    },
    hook(hook) {
      open("hook", hooks.length)
      hooks.push({ offered: hookOf(hook), hook })
    },
    provider(provider) {
      open("provider", providers.size)
      keep("provider", providers, { offered: providerOf(provider), inside: askerOf(provider) })
    },
    renderer(renderer) {
      open("renderer", renderers.size)
      const offered = rendererOf(renderer)
      keep("renderer", renderers, {
        offered,
        inside: ([call], { signal }) => renderer.render(call as ShownCall, { signal }),
      })
    },
    on(event, look) {
      open("on", (looks.get(event) ?? []).length)
      must(eventNames.includes(event), phrase`gong.on(): there is no event "${event}"; ${eventNames.join(", ")}`)
      must(typeof look === "function", phrase`gong.on("${event}", look): look is a function`)
      looks.set(event, [...(looks.get(event) ?? []), look as (event: unknown) => unknown])
    },
    resources(paths) {
      const brought = resourcesOf(paths, extension.folder)
      for (const kind of resourceKinds) {
        open("resources", resources[kind].length + brought[kind].length - 1)
        resources[kind].push(...brought[kind])
      }
    },
    say: (text, level = "info") => say(level === "warn" ? "warn" : "info", String(text)),
  }
  return {
    api: Object.freeze(api),
    close() {
      closed = true
      return { offers: offersOf(kept), inside: (door) => insideOf(kept, door) }
    },
  }
}

function offersOf({ tools, commands, hooks, providers, renderers, looks, resources }: Kept): Offers {
  const offered = <T>(all: Iterable<{ readonly offered: T }>): readonly T[] => [...all].map((one) => one.offered)
  return {
    tools: offered(tools.values()),
    commands: offered(commands.values()),
    hooks: offered(hooks),
    providers: offered(providers.values()),
    renderers: [...renderers.keys()],
    events: [...looks.keys()] as ExtensionEventName[],
    resources,
  }
}

function insideOf({ tools, commands, hooks, providers, renderers, looks }: Kept, door: Door): Inside | null {
  switch (door.door) {
    case "tool":
      return tools.get(door.key)?.inside ?? null
    case "command":
      return commands.get(door.key)?.inside ?? null
    case "provider":
      return providers.get(door.key)?.inside ?? null
    case "renderer":
      return renderers.get(door.key)?.inside ?? null
    case "event":
      return async ([event]) => void (await Promise.all((looks.get(door.key) ?? []).map((look) => look(event))))
    case "hook": {
      const hook = hooks[door.key]?.hook
      const callback = hook?.[door.callback] as ((...args: unknown[]) => unknown) | undefined
      if (callback === undefined) return null
      return (args, { signal }) => Reflect.apply(callback, hook, [...args, { signal }])
    }
  }
}

/** The request arrives as bytes, as over a network. */
function askerOf(provider: ExtensionProvider): Inside | null {
  if (provider.stream === undefined) return null
  return ([bytes, key], { signal }) => {
    const request = JSON.parse(new TextDecoder().decode(bytes as Uint8Array)) as ModelRequest
    return provider.stream(request, { signal, key: typeof key === "string" ? key : null })
  }
}
