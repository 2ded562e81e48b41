import { resolve } from "node:path"
import { phrase, type Phrase } from "@gong/spec"
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
  type RegisteredCommand,
  type RegisteredHook,
  type RegisteredProvider,
  type RegisteredResources,
  type RegisteredTool,
  resourceKinds,
} from "../protocol.ts"
import { must } from "./own-error.ts"

const defaultTime = 5_000
const maxTime = 60_000

// Converts registrations to plain data. Invalid ones throw, at the author's line.

const effects: Readonly<Record<NonNullable<ExtensionTool["effect"]>, true>> = {
  none: true,
  read: true,
  write: true,
  execute: true,
  network: true,
}
const kindsOfPaths: Readonly<Record<PathArgument["holds"], true>> = { file: true, folder: true, tree: true }

export function toolOf(tool: ExtensionTool): RegisteredTool {
  must(isObject(tool), isObjectText("tool", "tool"))
  const { name, description, parameters } = tool
  must(isText(name), phrase`gong.tool(): "name" is text`)
  must(isText(description), isTextIn("tool", name, "description"))
  must(
    isObject(parameters) && parameters["type"] === "object",
    phrase`gong.tool(): "${name}": "parameters" is a JSON Schema, {type: "object", ...}`,
  )
  must(typeof tool.execute === "function", isFunctionIn("tool", name, "execute"))
  const guidelines: unknown = tool.promptGuidelines ?? []
  must(
    Array.isArray(guidelines) && guidelines.every(isText),
    phrase`gong.tool(): "${name}": "promptGuidelines" is a list of texts`,
  )
  const declared = declaredOf(tool)
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

type Declared = Pick<RegisteredTool, "effect" | "paths" | "aliases" | "summary">

/** The author's declaration of its calls; absent if nothing is declared. */
function declaredOf({ name, effect, paths, aliases, summary, readOnly }: ExtensionTool): Declared {
  const known = Object.keys(effects)
  must(
    effect === undefined || known.includes(effect),
    phrase`gong.tool(): "${name}": "effect" is one of ${known.join(", ")}`,
  )
  const changes = effect === "write" || effect === "execute"
  must(!changes || readOnly !== true, phrase`gong.tool(): "${name}": "effect" is ${effect}, so it is not "readOnly"`)
  const kinds = Object.keys(kindsOfPaths)
  const isPath = (path: unknown): boolean =>
    isObject(path) && isText(path["argument"]) && kinds.includes(String(path["holds"]))
  must(
    paths === undefined || (Array.isArray(paths) && paths.every(isPath)),
    phrase`gong.tool(): "${name}": "paths" is a list of {argument: NAME, holds: ${kinds.join(" or ")}}`,
  )
  must(
    aliases === undefined || (Array.isArray(aliases) && aliases.every(isText)),
    phrase`gong.tool(): "${name}": "aliases" is a list of names`,
  )
  must(
    summary === undefined || isText(summary),
    phrase`gong.tool(): "${name}": "summary" is the name of a field of details`,
  )
  return {
    ...(effect && { effect }),
    ...(paths && { paths }),
    ...(aliases && { aliases }),
    ...(summary && { summary }),
  }
}

export function commandOf(command: ExtensionCommand): RegisteredCommand {
  must(isObject(command), isObjectText("command", "command"))
  const { name, about, value } = command
  const form = /^[\p{L}\p{N}][^/\s]*$/u
  must(isText(name) && form.test(name), phrase`gong.command(): "name" is a word without a slash`)
  must(isText(about), isTextIn("command", name, "about"))
  must(typeof command.run === "function", isFunctionIn("command", name, "run"))
  return plain({ name, about, value: value ?? null })
}

export function hookOf(hook: ExtensionHook): RegisteredHook {
  must(typeof hook === "object" && hook !== null, isObjectText("hook", "hook"))
  const timeMs: number = hook.timeMs ?? defaultTime
  const tools: readonly string[] | null = hook.tools ?? null
  must(tools === null || (Array.isArray(tools) && tools.every(isText)), phrase`gong.hook(): "tools" is a list of names`)
  must(timeMs >= 1 && timeMs <= maxTime, phrase`gong.hook(): "timeMs" is 1 to ${maxTime}`)
  const known: readonly string[] = ["tools", "timeMs", ...hookCallbacks]
  const unknown = Object.keys(hook).find((name) => !known.includes(name))
  must(unknown === undefined, isNoneOf("hook", unknown, hookCallbacks))
  const callbacks = hookCallbacks.filter((name) => hook[name] !== undefined)
  must(callbacks.length > 0, phrase`gong.hook(): none of ${hookCallbacks.join(", ")}`)
  for (const name of callbacks) must(typeof hook[name] === "function", phrase`gong.hook(): "${name}" is a function`)
  return { callbacks, tools, timeMs }
}

export function rendererOf(renderer: ExtensionRenderer): { name: string } {
  must(isObject(renderer), isObjectText("renderer", "renderer"))
  const { tool, render } = renderer
  must(isText(tool), phrase`gong.renderer(): "tool" is the name of a tool`)
  must(typeof render === "function", isFunctionIn("renderer", tool, "render"))
  return { name: tool }
}

/** Its models are validated with those of models.json, by the same rules. */
export function providerOf(provider: ExtensionProvider): RegisteredProvider {
  must(isObject(provider), isObjectText("provider", "provider"))
  const { name, label, stream, ...facts } = provider
  must(
    isText(name) && /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name),
    phrase`gong.provider(): "name" is 1 to 64 of a-z 0-9 . _ -`,
  )
  must(label === undefined || isText(label), isTextIn("provider", name, "label"))
  must(
    isObject(facts.models) && Object.keys(facts.models).length > 0,
    phrase`gong.provider(): "${name}": "models" has a model: {ID: {}}`,
  )
  must(stream === undefined || typeof stream === "function", isFunctionIn("provider", name, "stream"))
  must(
    stream !== undefined || isText(facts.baseUrl),
    phrase`gong.provider(): "${name}": "baseUrl" says where it is asked, or "stream" asks it`,
  )
  const wrong = stream && ["api", "headers", "body", "compat"].find((field) => field in facts)
  must(
    wrong === undefined,
    phrase`gong.provider(): "${name}": "${wrong}" is for a wire format that Gong speaks, and "stream" speaks its own`,
  )
  const keyed = Array.isArray(facts.keys) && facts.keys.length > 0
  must(
    !keyed || isText(facts.baseUrl),
    phrase`gong.provider(): "${name}": "keys" need a "baseUrl": a key is kept for one address`,
  )
  return plain({ name, facts: { name: label ?? name, ...facts }, streams: stream !== undefined })
}

export function resourcesOf(paths: ExtensionResources, folder: string): RegisteredResources {
  const known = resourceKinds.join(", ")
  must(isObject(paths), phrase`gong.resources(${`{ ${known} }`}): each is a list of paths`)
  const unknown = Object.keys(paths).find((kind) => !known.split(", ").includes(kind))
  must(unknown === undefined, isNoneOf("resources", unknown, resourceKinds))
  const full = (kind: keyof RegisteredResources): readonly string[] => {
    const given: unknown = paths[kind] ?? []
    must(Array.isArray(given) && given.every(isText), phrase`gong.resources(): "${kind}" is a list of paths`)
    return given.map((path) => resolve(folder, path))
  }
  return { skills: full("skills"), prompts: full("prompts"), themes: full("themes") }
}

/** A copy that can be transferred to the other thread; throws if impossible. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function isObjectText(call: string, what: string): Phrase {
  return phrase`gong.${call}(${what}): ${what} is an object`
}

function isTextIn(call: string, name: string, field: string): Phrase {
  return phrase`gong.${call}(): "${name}": "${field}" is text`
}

function isFunctionIn(call: string, name: string, field: string): Phrase {
  return phrase`gong.${call}(): "${name}": "${field}" is a function`
}

function isNoneOf(call: string, name: string | undefined, known: readonly string[]): Phrase {
  return phrase`gong.${call}(): there is no "${name}"; ${known.join(", ")}`
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
