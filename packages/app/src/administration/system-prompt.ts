import { estimateText } from "@gong/spec"
import { type Config, readConfig } from "../compose/config.ts"
import { sessionPrompt, type SessionPrompt } from "../compose/resources/prompt.ts"
import { resourceLines, readResources } from "../compose/resources/resources.ts"
import { selectedTools } from "../compose/tools/tools.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome } from "@gong/config/usage"
import { type PromptOptions, type SystemPart, systemParts } from "@gong/resources/prompt/system"
import { table } from "@gong/texts/table"
import type { Services } from "../services.ts"
import type { Translate } from "@gong/texts/translator"

interface ShownPart {
  readonly name: string
  readonly bytes: number
  /** Estimated. */
  readonly tokens: number
  /** Its sources: files, options, or Gong itself. */
  readonly from: readonly string[]
  readonly text: string
}

/** `gong config prompt`: the parts of the system prompt, with their sizes and sources. */
export function showPrompt(
  services: Services,
  spec: SessionSpec & { readonly json?: boolean | undefined },
): Promise<Outcome<string>> {
  return attempt(async () => {
    const config = must(await readConfig(services, spec))
    const resources = must(await readResources(services, spec, config))
    const prompt = must(await sessionPrompt({ services, spec, config }, resources))
    for (const line of [...config.lines, ...prompt.lines, ...resourceLines(services.t, resources)])
      services.warn(`${line}`)
    const tools = must(selectedTools(config, services, spec))
    const given = prompt.optionsFor(tools, services.clock.now())
    const parts = systemParts(given).map((part) =>
      shownPart(part.name, part.text, originOf(part, prompt, given, config)),
    )
    const schemas = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
    const all = [...parts, shownPart("tool schemas", JSON.stringify(schemas, null, 1), toolNames(given), schemas)]
    return spec.json === true ? `${JSON.stringify({ parts: all })}\n` : asText(services.t, all)
  })
}

/** `sent`: the value in the request, if it differs from the shown text. */
function shownPart(name: string, text: string, from: readonly string[], sent?: unknown): ShownPart {
  const whole = sent === undefined ? text : JSON.stringify(sent)
  return { name, bytes: new TextEncoder().encode(whole).length, tokens: estimateText(whole), from, text }
}

function originOf(
  { name }: SystemPart,
  { from }: SessionPrompt,
  given: PromptOptions,
  config: Config,
): readonly string[] {
  switch (name) {
    case "own prompt":
      return [from.custom ?? "Gong"]
    case "appended":
      return [from.append ?? "Gong"]
    case "context files":
      return (given.contextFiles ?? []).map(({ path }) => path)
    case "skills":
      return (given.skills ?? []).map(({ location }) => location)
    case "tools":
    case "guidelines":
      return toolNames(given)
    case "working directory":
      return [config.workspace.cwd]
    case "role":
    case "documentation":
    case "date and time":
      return ["Gong"]
  }
}

function toolNames({ tools }: PromptOptions): readonly string[] {
  return tools.map(({ name }) => name)
}

function asText(t: Translate, parts: readonly ShownPart[]): string {
  const total = { name: "all", bytes: sum(parts, "bytes"), tokens: sum(parts, "tokens"), from: [] }
  const rows = [...parts, total].map(({ name, bytes, tokens, from }) => [
    { text: t(name) },
    { text: t`${bytes} bytes`, right: true } as const,
    { text: t`~${tokens} tokens`, right: true } as const,
    { text: from.join(", ") },
  ])
  const texts = parts.map(({ name, text }) => `--- ${t(name)}\n\n${text}\n`)
  return `${texts.join("\n")}\n---\n\n${table(rows).join("\n")}\n`
}

function sum(parts: readonly ShownPart[], field: "bytes" | "tokens"): number {
  return parts.reduce((total, part) => total + part[field], 0)
}
