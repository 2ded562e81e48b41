import { phrase, type Text } from "@gong/spec"
import { join } from "node:path"
import { type Candidates, noCounterpart, type Plain, recordOf, shown, textsOf } from "../candidate.ts"
import {
  moveAgents,
  moveCommand,
  moveCommands,
  movedTemplate,
  moveInstructions,
  moveSkills,
  reportFiles,
} from "../library.ts"
import { moveServers } from "../mcp.ts"
import { factsOf, moveModel, moveProvider, reportOtherFields } from "../models.ts"
import { readOpencodeRules } from "./opencode-rules.ts"
import { folderOf, type ImportContext } from "../context.ts"
import type { ConfigFile, SourceLocation } from "../source.ts"
import type { Translate } from "@gong/texts/translator"

/** opencode: its configuration, commands, agents, skills and instructions of the home or project. */
export async function readOpencode(t: Translate, place: ImportContext): Promise<readonly string[]> {
  const { source, candidates, project, userHome } = place
  const folder =
    project === null
      ? join(folderOf(place, "XDG_CONFIG_HOME", join(userHome, ".config")), "opencode")
      : join(project, ".opencode")
  const configs = [project ?? folder, folder].flatMap((one) =>
    ["opencode.json", "opencode.jsonc"].map((name) => join(one, name)),
  )
  for (const path of new Set(configs)) {
    const file = await source.json("settings", path)
    if (file !== null) await readConfig(t, place, file)
  }
  for (const name of ["command", "commands"]) moveCommands(place, join(folder, name), movedTemplate)
  for (const name of ["skill", "skills"]) moveSkills(place, join(folder, name))
  for (const name of ["agent", "agents"]) moveAgents(place, join(folder, name))
  for (const name of ["plugin", "plugins", "tool", "tools"])
    reportFiles(place, "extensions", join(folder, name), phrase`plugins and tools of opencode do not run in Gong.`)
  if (project === null) {
    moveInstructions(place, folder, ["AGENTS.md"])
    const keys = join(folderOf(place, "XDG_DATA_HOME", join(userHome, ".local/share")), "opencode/auth.json")
    if (source.exists(keys)) candidates.left("keys", keys, phrase`the keys`, phrase`keys are not copied: gong login`)
  } else if (source.exists(join(project, "AGENTS.md")))
    candidates.there("instructions", join(project, "AGENTS.md"), "AGENTS.md", phrase`Gong reads it where it is.`)
  return [folder]
}

async function readConfig(
  t: Translate,
  place: ImportContext,
  { value: config, locationOf }: ConfigFile,
): Promise<void> {
  const { candidates } = place
  // A model may belong to one of these providers.
  for (const [id, value] of Object.entries(recordOf(config["provider"]) ?? {}))
    await providerOf(place, locationOf, id, recordOf(value) ?? {})
  for (const [key, value] of Object.entries(config)) {
    const from = await locationOf([key])
    const left = (reason: Text, what: Text = `${key} ${shown(value)}`): void =>
      candidates.left("settings", from, what, reason)
    switch (key) {
      case "$schema":
      case "provider":
        break
      case "model":
        await modelOf(t, place, from, value)
        break
      case "permission":
        await readOpencodeRules(place, value, locationOf)
        break
      case "mcp":
        await moveServers(
          t,
          candidates,
          Object.fromEntries(Object.entries(recordOf(value) ?? {}).map(serverOf)),
          (name) => locationOf(["mcp", name]),
        )
        break
      case "command":
        for (const [name, command] of Object.entries(recordOf(value) ?? {}))
          commandOf(place, await locationOf(["command", name]), name, recordOf(command) ?? {})
        break
      case "instructions":
        instructionsOf(candidates, from, value)
        break
      default:
        left(noCounterpart)
    }
  }
}

async function modelOf(t: Translate, place: ImportContext, from: string, value: unknown): Promise<void> {
  const slash = typeof value === "string" ? value.indexOf("/") : -1
  if (typeof value !== "string" || slash < 1)
    return place.candidates.left("settings", from, `model ${shown(value)}`, phrase`it is no PROVIDER/ID.`)
  const id = value.slice(0, slash)
  // opencode uses the provider names of models.dev.
  const row = place.registry.providers.find(({ modelsDev }) => modelsDev === id)
  await moveModel(t, place, from, value.slice(slash + 1), row?.id ?? id)
}

function instructionsOf({ left }: Candidates, from: string, value: unknown): void {
  for (const file of textsOf(value))
    left("instructions", from, file, phrase`write @${file} into AGENTS.md; Gong reads it from there.`)
}

/** `{type: "local", command: [...], environment}` and `{type: "remote", url, headers}`; `{env:NAME}` is `${NAME}`. */
function serverOf([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  const server = recordOf(value)
  if (server === null) return [name, value]
  const { command, environment, enabled, type: _, ...rest } = server
  const [program, ...args] = textsOf(command)
  const texts = (all: unknown): Plain =>
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

function commandOf(place: ImportContext, from: string, name: string, { template, description }: Plain): void {
  if (typeof template !== "string")
    return place.candidates.left("commands", from, `/${name}`, phrase`it has no template.`)
  const header = typeof description === "string" ? `---\ndescription: ${JSON.stringify(description)}\n---\n\n` : ""
  moveCommand(place, from, name, movedTemplate(`${header}${template.trim()}\n`))
}

const wires: Readonly<Record<string, string>> = {
  "@ai-sdk/openai-compatible": "openai-completions",
  "@ai-sdk/openai": "openai-responses",
  "@ai-sdk/anthropic": "anthropic-messages",
  "@ai-sdk/google": "google-generative-ai",
}

async function providerOf(place: ImportContext, locationOf: SourceLocation, id: string, given: Plain): Promise<void> {
  const { npm, models } = given
  const options = recordOf(given["options"]) ?? {}
  const facts = Object.entries(recordOf(models) ?? {}).map(([name, value]) => {
    const model = recordOf(value) ?? {}
    const limit = recordOf(model["limit"]) ?? {}
    return [name, factsOf({ ...model, contextWindow: limit["context"], maxOutput: limit["output"] })] as const
  })
  const key = typeof options["apiKey"] === "string" ? /^\{env:(\w+)\}$/.exec(options["apiKey"])?.[1] : undefined
  await reportOtherFields(place, id, given, ["npm", "name", "options", "models"], (field) =>
    locationOf(["provider", id, field]),
  )
  await reportOtherFields(place, id, options, ["baseURL", "apiKey", "headers"], (field) =>
    locationOf(["provider", id, "options", field]),
  )
  moveProvider(place, await locationOf(["provider", id]), {
    id,
    name: given["name"],
    baseUrl: options["baseURL"],
    api: typeof npm !== "string" ? null : Object.hasOwn(wires, npm) ? (wires[npm] ?? null) : npm,
    key: key ?? null,
    headers: options["headers"],
    models: Object.fromEntries(facts),
  })
}
