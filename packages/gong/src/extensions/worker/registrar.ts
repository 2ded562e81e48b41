import { resolve } from "node:path"
import type {
  CommandContext,
  ExtensionApi,
  ExtensionCommand,
  ExtensionEventName,
  ExtensionHook,
  ExtensionResources,
  ExtensionTool,
  ToolCallContext,
} from "../api.ts"
import {
  apiVersion,
  type Door,
  hookCallbacks,
  type OfferedCommand,
  type OfferedHook,
  type OfferedTool,
  type OfferedResources,
  type Offers,
  resourceKinds,
  type WorkerBegin,
  type WorkerExtension,
} from "../protocol.ts"

/** A function of an extension, called with plain data and with what only this thread can give. */
export type Inside = (args: readonly unknown[], context: InsideContext) => unknown

export type InsideContext = ToolCallContext & CommandContext

export interface Registered {
  readonly offers: Offers
  /** Null: it has no such function. */
  inside(door: Door): Inside | null
}

export interface Registrar {
  readonly api: ExtensionApi
  /** Nothing more can be registered from here on. */
  close(): Registered
}

const defaultTime = 5_000
const maxTime = 60_000
/** Of each kind, in one extension. */
const maxOffers = 100

/** What one extension is given while it is loaded. What is registered wrongly throws, at the author's line. */
export function registrarOf(
  extension: WorkerExtension,
  begin: WorkerBegin,
  say: (level: "info" | "warn", text: string) => void,
): Registrar {
  const tools = new Map<string, { offered: OfferedTool; inside: Inside }>()
  const commands = new Map<string, { offered: OfferedCommand; inside: Inside }>()
  const hooks: { offered: OfferedHook; hook: ExtensionHook }[] = []
  const looks = new Map<string, ((event: unknown) => unknown)[]>()
  const resources = { skills: [] as string[], prompts: [] as string[], themes: [] as string[] }
  let closed = false
  const open = (what: string, count: number): void => {
    if (closed) throw new Error(`gong.${what}() works only while the extension is loaded.`)
    if (count >= maxOffers) throw new Error(`gong.${what}(): ${maxOffers} are the most.`)
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
      if (tools.has(offered.name)) throw new TypeError(`gong.tool(): there is a tool "${offered.name}" already.`)
      tools.set(offered.name, { offered, inside: ([args], context) => tool.execute(args as never, context) })
    },
    command(command) {
      open("command", commands.size)
      const offered = commandOf(command)
      if (commands.has(offered.name)) throw new TypeError(`gong.command(): there is "${offered.name}" already.`)
      commands.set(offered.name, { offered, inside: ([rest], context) => command.run(String(rest), context) })
    },
    hook(hook) {
      open("hook", hooks.length)
      hooks.push({ offered: hookOf(hook), hook })
    },
    on(event, look) {
      open("on", (looks.get(event) ?? []).length)
      must(typeof event === "string" && typeof look === "function", "gong.on(event, look): look is a function.")
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
  const inside = (door: Door): Inside | null => {
    switch (door.door) {
      case "tool":
        return tools.get(door.key)?.inside ?? null
      case "command":
        return commands.get(door.key)?.inside ?? null
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
  return {
    api: Object.freeze(api),
    close() {
      closed = true
      const events = [...looks.keys()] as ExtensionEventName[]
      const offers = {
        tools: [...tools.values()].map(({ offered }) => offered),
        commands: [...commands.values()].map(({ offered }) => offered),
        hooks: hooks.map(({ offered }) => offered),
        events,
        resources,
      }
      return { offers, inside }
    },
  }
}

function toolOf(tool: ExtensionTool): OfferedTool {
  must(isObject(tool), "gong.tool(tool): tool is an object.")
  const { name, description, parameters } = tool
  must(isText(name), 'gong.tool(): "name" is text.')
  const at = `gong.tool(): "${name}":`
  must(isText(description), `${at} "description" is text.`)
  must(
    isObject(parameters) && parameters["type"] === "object",
    `${at} "parameters" is a JSON Schema, {type: "object", ...}.`,
  )
  must(typeof tool.execute === "function", `${at} "execute" is a function.`)
  const guidelines: unknown = tool.promptGuidelines ?? []
  must(Array.isArray(guidelines) && guidelines.every(isText), `${at} "promptGuidelines" is a list of texts.`)
  return plain({
    name,
    label: tool.label ?? name,
    description,
    parameters,
    title: tool.title ?? null,
    promptSnippet: tool.promptSnippet ?? description.split("\n", 1)[0] ?? "",
    promptGuidelines: tool.promptGuidelines ?? [],
    readOnly: tool.readOnly === true,
    interruptible: tool.interruptible === true,
  })
}

function commandOf(command: ExtensionCommand): OfferedCommand {
  must(isObject(command), "gong.command(command): command is an object.")
  const { name, about, value } = command
  const form = /^[\p{L}\p{N}][^/\s]*$/u
  must(isText(name) && form.test(name), 'gong.command(): "name" is a word without a slash.')
  must(isText(about), `gong.command(): "${name}": "about" is text.`)
  must(typeof command.run === "function", `gong.command(): "${name}": "run" is a function.`)
  return plain({ name, about, value: value ?? null })
}

function hookOf(hook: ExtensionHook): OfferedHook {
  must(typeof hook === "object" && hook !== null, "gong.hook(hook): hook is an object.")
  const timeMs: number = hook.timeMs ?? defaultTime
  const tools: readonly string[] | null = hook.tools ?? null
  must(tools === null || (Array.isArray(tools) && tools.every(isText)), 'gong.hook(): "tools" is a list of names.')
  must(timeMs >= 1 && timeMs <= maxTime, `gong.hook(): "timeMs" is 1 to ${maxTime}.`)
  const known: readonly string[] = ["tools", "timeMs", ...hookCallbacks]
  const unknown = Object.keys(hook).find((name) => !known.includes(name))
  must(unknown === undefined, `gong.hook(): there is no "${unknown}"; ${hookCallbacks.join(", ")}.`)
  const callbacks = hookCallbacks.filter((name) => hook[name] !== undefined)
  must(callbacks.length > 0, `gong.hook(): none of ${hookCallbacks.join(", ")}.`)
  for (const name of callbacks) must(typeof hook[name] === "function", `gong.hook(): "${name}" is a function.`)
  return { callbacks, tools, timeMs }
}

function resourcesOf(paths: ExtensionResources, folder: string): OfferedResources {
  const known = resourceKinds.join(", ")
  must(isObject(paths), `gong.resources({ ${known} }): each is a list of paths.`)
  const unknown = Object.keys(paths).find((kind) => !known.split(", ").includes(kind))
  must(unknown === undefined, `gong.resources(): there is no "${unknown}"; ${known}.`)
  const full = (kind: keyof OfferedResources): readonly string[] => {
    const given: unknown = paths[kind] ?? []
    must(Array.isArray(given) && given.every(isText), `gong.resources(): "${kind}" is a list of paths.`)
    return given.map((path) => resolve(folder, path))
  }
  return { skills: full("skills"), prompts: full("prompts"), themes: full("themes") }
}

/** A copy that can cross to the other thread; throws where it cannot. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function must(holds: boolean, text: string): asserts holds {
  if (!holds) throw new TypeError(text)
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
