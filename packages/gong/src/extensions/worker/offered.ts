import { resolve } from "node:path"
import type {
  ExtensionCommand,
  ExtensionHook,
  ExtensionProvider,
  ExtensionRenderer,
  ExtensionResources,
  ExtensionTool,
  PathArgument,
} from "../api.ts"
import {
  hookCallbacks,
  type OfferedCommand,
  type OfferedHook,
  type OfferedProvider,
  type OfferedResources,
  type OfferedTool,
  resourceKinds,
} from "../protocol.ts"

const defaultTime = 5_000
const maxTime = 60_000

// What is registered, as plain data; what is wrong with it is thrown, at the author's line.

const effects: Readonly<Record<NonNullable<ExtensionTool["effect"]>, true>> = {
  none: true,
  read: true,
  write: true,
  execute: true,
  network: true,
}
const kindsOfPaths: Readonly<Record<PathArgument["holds"], true>> = { file: true, folder: true, tree: true }

export function toolOf(tool: ExtensionTool): OfferedTool {
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
  const declared = declaredOf(tool, at)
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
    ...declared,
  })
}

type Declared = Pick<OfferedTool, "effect" | "paths" | "aliases" | "summary">

/** What the author says of its calls; absent where nothing is said. */
function declaredOf({ effect, paths, aliases, summary, readOnly }: ExtensionTool, at: string): Declared {
  const known = Object.keys(effects)
  must(effect === undefined || known.includes(effect), `${at} "effect" is one of ${known.join(", ")}.`)
  const changes = effect === "write" || effect === "execute"
  must(!changes || readOnly !== true, `${at} "effect" is ${String(effect)}, so it is not "readOnly".`)
  const kinds = Object.keys(kindsOfPaths)
  const isPath = (path: unknown): boolean =>
    isObject(path) && isText(path["argument"]) && kinds.includes(String(path["holds"]))
  must(
    paths === undefined || (Array.isArray(paths) && paths.every(isPath)),
    `${at} "paths" is a list of {argument: NAME, holds: ${kinds.join(" or ")}}.`,
  )
  must(
    aliases === undefined || (Array.isArray(aliases) && aliases.every(isText)),
    `${at} "aliases" is a list of names.`,
  )
  must(summary === undefined || isText(summary), `${at} "summary" is the name of a field of details.`)
  return {
    ...(effect && { effect }),
    ...(paths && { paths }),
    ...(aliases && { aliases }),
    ...(summary && { summary }),
  }
}

export function commandOf(command: ExtensionCommand): OfferedCommand {
  must(isObject(command), "gong.command(command): command is an object.")
  const { name, about, value } = command
  const form = /^[\p{L}\p{N}][^/\s]*$/u
  must(isText(name) && form.test(name), 'gong.command(): "name" is a word without a slash.')
  must(isText(about), `gong.command(): "${name}": "about" is text.`)
  must(typeof command.run === "function", `gong.command(): "${name}": "run" is a function.`)
  return plain({ name, about, value: value ?? null })
}

export function hookOf(hook: ExtensionHook): OfferedHook {
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

export function rendererOf(renderer: ExtensionRenderer): { name: string } {
  must(isObject(renderer), "gong.renderer(renderer): renderer is an object.")
  const { tool, render } = renderer
  must(isText(tool), 'gong.renderer(): "tool" is the name of a tool.')
  must(typeof render === "function", `gong.renderer(): "${tool}": "render" is a function.`)
  return { name: tool }
}

/** What its models are like is looked at where models.json is, by the same rules. */
export function providerOf(provider: ExtensionProvider): OfferedProvider {
  must(isObject(provider), "gong.provider(provider): provider is an object.")
  const { name, label, stream, ...facts } = provider
  must(isText(name) && /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name), 'gong.provider(): "name" is 1 to 64 of a-z 0-9 . _ -.')
  const at = `gong.provider(): "${name}":`
  must(label === undefined || isText(label), `${at} "label" is text.`)
  must(isObject(facts.models) && Object.keys(facts.models).length > 0, `${at} "models" has a model: {ID: {}}.`)
  must(stream === undefined || typeof stream === "function", `${at} "stream" is a function.`)
  must(stream !== undefined || isText(facts.baseUrl), `${at} "baseUrl" says where it is asked, or "stream" asks it.`)
  const wrong = stream && ["api", "headers", "body", "compat"].find((field) => field in facts)
  must(wrong === undefined, `${at} "${wrong}" is for a wire format that Gong speaks, and "stream" speaks its own.`)
  const keyed = Array.isArray(facts.keys) && facts.keys.length > 0
  must(!keyed || isText(facts.baseUrl), `${at} "keys" need a "baseUrl": a key is kept for one address.`)
  return plain({ name, facts: { name: label ?? name, ...facts }, streams: stream !== undefined })
}

export function resourcesOf(paths: ExtensionResources, folder: string): OfferedResources {
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

export function must(holds: boolean, text: string): asserts holds {
  if (!holds) throw new TypeError(text)
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
