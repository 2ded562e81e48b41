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
  type CallTarget,
  eventNames,
  type RegisteredCommand,
  type RegisteredHook,
  type RegisteredProvider,
  type RegisteredTool,
  type RegisteredResources,
  type Registrations,
  resourceKinds,
  type WorkerBegin,
  type WorkerExtension,
} from "../protocol.ts"
import { must } from "./own-error.ts"
import { commandOf, hookOf, providerOf, rendererOf, resourcesOf, toolOf } from "./registrations.ts"

/** A function of an extension, called with plain data and with objects that exist only in this thread. */
export type ExtensionFunction = (args: readonly unknown[], context: FunctionContext) => unknown

export type FunctionContext = ToolCallContext & CommandContext

export interface LoadedFunctions {
  readonly registrations: Registrations
  /** Null if it has no such function. */
  functionOf(target: CallTarget): ExtensionFunction | null
}

export interface Registrar {
  readonly api: ExtensionApi
  /** Ends registration. */
  close(): LoadedFunctions
}

/** Maximum registrations of each kind per extension. */
const maxRegistrations = 100

/** Registrations so far. */
interface Registry {
  readonly tools: Map<string, { registered: RegisteredTool; fn: ExtensionFunction }>
  readonly commands: Map<string, { registered: RegisteredCommand; fn: ExtensionFunction }>
  readonly hooks: { registered: RegisteredHook; hook: ExtensionHook }[]
  readonly providers: Map<string, { registered: RegisteredProvider; fn: ExtensionFunction | null }>
  readonly renderers: Map<string, { registered: { name: string }; fn: ExtensionFunction }>
  readonly observers: Map<string, ((event: unknown) => unknown)[]>
  readonly resources: Readonly<Record<keyof RegisteredResources, string[]>>
}

function emptyRegistry(): Registry {
  return {
    tools: new Map(),
    commands: new Map(),
    hooks: [],
    providers: new Map(),
    renderers: new Map(),
    observers: new Map(),
    resources: { skills: [], prompts: [], themes: [] },
  }
}

/** The API object passed to an extension while it is loaded. Invalid registrations throw, at the author's line. */
export function registrarOf(
  extension: WorkerExtension,
  begin: WorkerBegin,
  say: (level: "info" | "warn", text: string) => void,
): Registrar {
  const registry = emptyRegistry()
  const { tools, commands, hooks, providers, renderers, observers, resources } = registry
  let closed = false
  const open = (what: string, count: number): void => {
    must(!closed, phrase`gong.${what}() works only while the extension is loaded`)
    must(count < maxRegistrations, phrase`gong.${what}(): ${maxRegistrations} are the most`)
  }
  const add = <T extends { readonly registered: { readonly name: string } }>(
    what: string,
    all: Map<string, T>,
    one: T,
  ) => {
    const { name } = one.registered
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
      const registered = toolOf(tool as unknown as ExtensionTool)
      add("tool", tools, { registered, fn: ([args], context) => tool.execute(args as never, context) })
    },
    command(command) {
      open("command", commands.size)
      const registered = commandOf(command)
      add("command", commands, { registered, fn: ([rest], context) => command.run(String(rest), context) })
    },
    hook(hook) {
      open("hook", hooks.length)
      hooks.push({ registered: hookOf(hook), hook })
    },
    provider(provider) {
      open("provider", providers.size)
      add("provider", providers, { registered: providerOf(provider), fn: streamFunction(provider) })
    },
    renderer(renderer) {
      open("renderer", renderers.size)
      const registered = rendererOf(renderer)
      add("renderer", renderers, {
        registered,
        fn: ([call], { signal }) => renderer.render(call as ShownCall, { signal }),
      })
    },
    on(event, look) {
      open("on", (observers.get(event) ?? []).length)
      must(eventNames.includes(event), phrase`gong.on(): there is no event "${event}"; ${eventNames.join(", ")}`)
      must(typeof look === "function", phrase`gong.on("${event}", look): look is a function`)
      observers.set(event, [...(observers.get(event) ?? []), look as (event: unknown) => unknown])
    },
    resources(paths) {
      const added = resourcesOf(paths, extension.folder)
      for (const kind of resourceKinds) {
        open("resources", resources[kind].length + added[kind].length - 1)
        resources[kind].push(...added[kind])
      }
    },
    say: (text, level = "info") => say(level === "warn" ? "warn" : "info", String(text)),
  }
  return {
    api: Object.freeze(api),
    close() {
      closed = true
      return { registrations: registrationsOf(registry), functionOf: (target) => functionIn(registry, target) }
    },
  }
}

function registrationsOf({
  tools,
  commands,
  hooks,
  providers,
  renderers,
  observers,
  resources,
}: Registry): Registrations {
  const registered = <T>(all: Iterable<{ readonly registered: T }>): readonly T[] =>
    [...all].map((one) => one.registered)
  return {
    tools: registered(tools.values()),
    commands: registered(commands.values()),
    hooks: registered(hooks),
    providers: registered(providers.values()),
    renderers: [...renderers.keys()],
    events: [...observers.keys()] as ExtensionEventName[],
    resources,
  }
}

function functionIn(
  { tools, commands, hooks, providers, renderers, observers }: Registry,
  target: CallTarget,
): ExtensionFunction | null {
  switch (target.kind) {
    case "tool":
      return tools.get(target.key)?.fn ?? null
    case "command":
      return commands.get(target.key)?.fn ?? null
    case "provider":
      return providers.get(target.key)?.fn ?? null
    case "renderer":
      return renderers.get(target.key)?.fn ?? null
    case "event":
      return async ([event]) =>
        void (await Promise.all((observers.get(target.key) ?? []).map((observe) => observe(event))))
    case "hook": {
      const hook = hooks[target.key]?.hook
      const callback = hook?.[target.callback] as ((...args: unknown[]) => unknown) | undefined
      if (callback === undefined) return null
      return (args, { signal }) => Reflect.apply(callback, hook, [...args, { signal }])
    }
  }
}

/** The request arrives as bytes, as over a network. */
function streamFunction(provider: ExtensionProvider): ExtensionFunction | null {
  if (provider.stream === undefined) return null
  return ([bytes, key], { signal }) => {
    const request = JSON.parse(new TextDecoder().decode(bytes as Uint8Array)) as ModelRequest
    return provider.stream(request, { signal, key: typeof key === "string" ? key : null })
  }
}
