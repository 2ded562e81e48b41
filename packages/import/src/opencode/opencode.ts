import { phrase, type Text } from "@gong/spec"
import { join } from "node:path"
import { type Candidates, noEquivalent, type JsonObject, recordOf, shown, textsOf } from "../candidate.ts"
import {
  importAgents,
  importCommand,
  importCommands,
  convertTemplate,
  importInstructions,
  importSkills,
  reportFiles,
} from "../library.ts"
import { importServers } from "../mcp.ts"
import { factsOf, importModel, importProvider, reportOtherFields } from "../models.ts"
import { readOpencodeRules } from "./opencode-rules.ts"
import { folderOf, type ImportContext } from "../context.ts"
import type { ConfigFile, SourceLocation } from "../source.ts"
import type { Translate } from "@gong/texts/translator"

/** opencode: its configuration, commands, agents, skills and instructions of the home or project. */
export async function readOpencode(t: Translate, context: ImportContext): Promise<readonly string[]> {
  const { source, candidates, project, userHome } = context
  const folder =
    project === null
      ? join(folderOf(context, "XDG_CONFIG_HOME", join(userHome, ".config")), "opencode")
      : join(project, ".opencode")
  const configs = [project ?? folder, folder].flatMap((one) =>
    ["opencode.json", "opencode.jsonc"].map((name) => join(one, name)),
  )
  for (const path of new Set(configs)) {
    const file = await source.json("settings", path)
    if (file !== null) await readConfig(t, context, file)
  }
  for (const name of ["command", "commands"]) importCommands(context, join(folder, name), convertTemplate)
  for (const name of ["skill", "skills"]) importSkills(context, join(folder, name))
  for (const name of ["agent", "agents"]) importAgents(context, join(folder, name))
  for (const name of ["plugin", "plugins", "tool", "tools"])
    reportFiles(context, "extensions", join(folder, name), phrase`Gong does not run plugins and tools of opencode.`)
  if (project === null) {
    importInstructions(context, folder, ["AGENTS.md"])
    const keys = join(folderOf(context, "XDG_DATA_HOME", join(userHome, ".local/share")), "opencode/auth.json")
    if (source.exists(keys)) candidates.skip("keys", keys, phrase`the keys`, phrase`keys are not copied: gong login`)
  } else if (source.exists(join(project, "AGENTS.md")))
    candidates.present("instructions", join(project, "AGENTS.md"), "AGENTS.md", phrase`Gong reads it in place.`)
  return [folder]
}

async function readConfig(
  t: Translate,
  context: ImportContext,
  { value: config, locationOf }: ConfigFile,
): Promise<void> {
  const { candidates } = context
  // A model may belong to one of these providers.
  for (const [id, value] of Object.entries(recordOf(config["provider"]) ?? {}))
    await providerOf(context, locationOf, id, recordOf(value) ?? {})
  for (const [key, value] of Object.entries(config)) {
    const from = await locationOf([key])
    const skip = (reason: Text, what: Text = `${key} ${shown(value)}`): void =>
      candidates.skip("settings", from, what, reason)
    switch (key) {
      case "$schema":
      case "provider":
        break
      case "model":
        await modelOf(t, context, from, value)
        break
      case "permission":
        await readOpencodeRules(context, value, locationOf)
        break
      case "mcp":
        await importServers(
          t,
          candidates,
          Object.fromEntries(Object.entries(recordOf(value) ?? {}).map(serverOf)),
          (name) => locationOf(["mcp", name]),
        )
        break
      case "command":
        for (const [name, command] of Object.entries(recordOf(value) ?? {}))
          commandOf(context, await locationOf(["command", name]), name, recordOf(command) ?? {})
        break
      case "instructions":
        instructionsOf(candidates, from, value)
        break
      default:
        skip(noEquivalent)
    }
  }
}

async function modelOf(t: Translate, context: ImportContext, from: string, value: unknown): Promise<void> {
  const slash = typeof value === "string" ? value.indexOf("/") : -1
  if (typeof value !== "string" || slash < 1)
    return context.candidates.skip("settings", from, `model ${shown(value)}`, phrase`it is not PROVIDER/ID.`)
  const id = value.slice(0, slash)
  // opencode uses the provider names of models.dev.
  const row = context.registry.providers.find(({ modelsDev }) => modelsDev === id)
  await importModel(t, context, from, value.slice(slash + 1), row?.id ?? id)
}

function instructionsOf({ skip }: Candidates, from: string, value: unknown): void {
  for (const file of textsOf(value)) skip("instructions", from, file, phrase`import it in AGENTS.md: @${file}`)
}

/** `{type: "local", command: [...], environment}` and `{type: "remote", url, headers}`; `{env:NAME}` is `${NAME}`. */
function serverOf([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  const server = recordOf(value)
  if (server === null) return [name, value]
  const { command, environment, enabled, type: _, ...rest } = server
  const [program, ...args] = textsOf(command)
  const texts = (all: unknown): JsonObject =>
    Object.fromEntries(
      Object.entries(recordOf(all) ?? {}).map(([key, text]) => [
        key,
        typeof text === "string" ? text.replaceAll(/\{env:(\w+)\}/g, "${$1}") : text,
      ]),
    )
  return [
    name,
    {
      ...rest,
      ...(program !== undefined && { command: program, args }),
      ...(recordOf(environment) !== null && { env: texts(environment) }),
      ...(recordOf(server["headers"]) !== null && { headers: texts(server["headers"]) }),
      ...(enabled === false && { disabled: true }),
    },
  ]
}

function commandOf(context: ImportContext, from: string, name: string, { template, description }: JsonObject): void {
  if (typeof template !== "string")
    return context.candidates.skip("commands", from, `/${name}`, phrase`it has no template.`)
  const header = typeof description === "string" ? `---\ndescription: ${JSON.stringify(description)}\n---\n\n` : ""
  importCommand(context, from, name, convertTemplate(`${header}${template.trim()}\n`))
}

const wireFormats: Readonly<Record<string, string>> = {
  "@ai-sdk/openai-compatible": "openai-completions",
  "@ai-sdk/openai": "openai-responses",
  "@ai-sdk/anthropic": "anthropic-messages",
  "@ai-sdk/google": "google-generative-ai",
}

async function providerOf(
  context: ImportContext,
  locationOf: SourceLocation,
  id: string,
  given: JsonObject,
): Promise<void> {
  const { npm, models } = given
  const options = recordOf(given["options"]) ?? {}
  const facts = Object.entries(recordOf(models) ?? {}).map(([name, value]) => {
    const model = recordOf(value) ?? {}
    const limit = recordOf(model["limit"]) ?? {}
    return [name, factsOf({ ...model, contextWindow: limit["context"], maxOutput: limit["output"] })] as const
  })
  const key = typeof options["apiKey"] === "string" ? /^\{env:(\w+)\}$/.exec(options["apiKey"])?.[1] : undefined
  await reportOtherFields(context, id, given, ["npm", "name", "options", "models"], (field) =>
    locationOf(["provider", id, field]),
  )
  await reportOtherFields(context, id, options, ["baseURL", "apiKey", "headers"], (field) =>
    locationOf(["provider", id, "options", field]),
  )
  importProvider(context, await locationOf(["provider", id]), {
    id,
    name: given["name"],
    baseUrl: options["baseURL"],
    api: typeof npm !== "string" ? null : Object.hasOwn(wireFormats, npm) ? (wireFormats[npm] ?? null) : npm,
    key: key ?? null,
    headers: options["headers"],
    models: Object.fromEntries(facts),
  })
}
