import { phrase, piAgentFolder, piFolder } from "@gong/spec"
import { join } from "node:path"
import type { SettingName } from "@gong/config/settings/schema"
import { noEquivalent, type JsonObject, recordOf, shown } from "./candidate.ts"
import { importAgents, importSkills, reportFiles, reportPrompts, importInstructions } from "./library.ts"
import { importServers } from "./mcp.ts"
import { factsOf, importModel, importProvider, importThinking, reportOtherFields } from "./models.ts"
import { folderOf, type ImportContext } from "./context.ts"
import type { ConfigFile, SourceLocation } from "./source.ts"
import type { Translate } from "@gong/texts/translator"

/** Pi: Gong reads much of its folder in place; settings, providers and servers are imported. */
export async function readPi(t: Translate, context: ImportContext): Promise<readonly string[]> {
  const { source, candidates, project, userHome } = context
  const folder =
    project === null ? folderOf(context, "PI_CODING_AGENT_DIR", join(userHome, piAgentFolder)) : join(project, piFolder)
  const models = project === null ? await source.json("models", join(folder, "models.json")) : null
  if (models !== null)
    for (const [id, value] of Object.entries(recordOf(models.value["providers"]) ?? {}))
      await providerOf(context, models.locationOf, id, recordOf(value) ?? {})
  const settings = await source.json("settings", join(folder, "settings.json"))
  if (settings !== null) await readSettings(t, context, settings)
  const servers = await source.json("mcp", join(folder, "mcp.json"))
  if (servers !== null)
    await importServers(t, candidates, servers.value["mcpServers"], (name) => servers.locationOf(["mcpServers", name]))
  const isLibrary = context.libraries.includes(folder)
  if (isLibrary) reportPrompts(context, join(folder, "prompts"), phrase`Gong reads it in place.`)
  importSkills(context, join(folder, "skills"))
  importAgents(context, join(folder, "agents"))
  for (const name of ["SYSTEM.md", "APPEND_SYSTEM.md"])
    if (isLibrary && source.exists(join(folder, name)))
      candidates.present("instructions", join(folder, name), name, phrase`Gong reads it in place.`)
  if (project === null) {
    importInstructions(context, folder, ["AGENTS.md", "CLAUDE.md"])
    if (source.exists(join(folder, "auth.json")))
      candidates.skip("keys", join(folder, "auth.json"), phrase`the keys`, phrase`keys are not copied: gong login`)
  }
  reportFiles(context, "extensions", join(folder, "extensions"), phrase`Gong does not run extensions of Pi.`)
  reportFiles(context, "settings", join(folder, "themes"), noEquivalent)
  return [folder]
}

/** Settings with the same meaning. */
const same: Readonly<Record<string, SettingName>> = {
  "compaction.enabled": "compaction.auto",
  "compaction.reserveTokens": "compaction.reserveTokens",
  "compaction.keepRecentTokens": "compaction.keepRecentTokens",
  "retry.maxRetries": "retry.count",
  "retry.baseDelayMs": "retry.baseMs",
  "images.blockImages": "images.block",
}

const queues: Readonly<Record<string, SettingName>> = { steeringMode: "queue.steer", followUpMode: "queue.followUp" }

async function readSettings(
  t: Translate,
  context: ImportContext,
  { value: settings, locationOf }: ConfigFile,
): Promise<void> {
  const { candidates } = context
  for (const [key, value] of Object.entries(settings)) {
    const from = await locationOf([key])
    if (key === "defaultModel") {
      const provider = settings["defaultProvider"]
      if (typeof provider === "string") await importModel(t, context, from, value, providerName(provider))
      else candidates.skip("settings", from, `${key} ${shown(value)}`, phrase`it has no provider: gong models`)
    } else if (key === "defaultProvider") {
      if (settings["defaultModel"] === undefined)
        candidates.skip(
          "settings",
          from,
          `${key} ${shown(value)}`,
          phrase`a provider is set with its model: gong config set model PROVIDER/ID`,
        )
    } else if (key === "defaultThinkingLevel") importThinking(context, from, key, value)
    else if (Object.hasOwn(queues, key)) queueOf(context, from, key, value)
    else if (["compaction", "retry", "images"].includes(key))
      await groupOf(context, locationOf, key, recordOf(value) ?? {})
    else candidates.skip("settings", from, `${key} ${shown(value)}`, noEquivalent)
  }
}

function queueOf({ candidates }: ImportContext, from: string, key: string, value: unknown): void {
  const name = queues[key]
  const meant = value === "one-at-a-time" ? "one" : value === "all" ? "all" : null
  if (name === undefined || meant === null) candidates.skip("settings", from, `${key} ${shown(value)}`, noEquivalent)
  else candidates.add("settings", from, `${key} ${shown(value)}`, { op: "setting", name, value: meant })
}

async function groupOf(
  { candidates }: ImportContext,
  locationOf: SourceLocation,
  group: string,
  values: JsonObject,
): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    const from = await locationOf([group, key])
    const full = `${group}.${key}`
    const name = Object.hasOwn(same, full) ? same[full] : undefined
    const fits = typeof value === "number" || typeof value === "boolean"
    if (name !== undefined && fits) candidates.add("settings", from, `${full} ${value}`, { op: "setting", name, value })
    else candidates.skip("settings", from, `${full} ${shown(value)}`, noEquivalent)
  }
}

/** Providers that have another name in Gong. */
function providerName(id: string): string {
  const names: Readonly<Record<string, string>> = {
    "azure-openai-responses": "azure",
    "kimi-for-coding": "kimi-coding",
    "vercel-ai-gateway": "vercel",
  }
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id
}

async function providerOf(
  context: ImportContext,
  locationOf: SourceLocation,
  id: string,
  given: JsonObject,
): Promise<void> {
  const { apiKey, api, models } = given
  const listed = Array.isArray(models) ? models.map(recordOf).filter((model) => model !== null) : []
  const facts = listed.flatMap((model) => {
    const { id: name, input, maxTokens } = model
    const images = Array.isArray(input) ? input.includes("image") : undefined
    return typeof name === "string" ? [[name, factsOf({ ...model, maxOutput: maxTokens, images })] as const] : []
  })
  // A key in this file is the name of a variable, a command, or the key itself.
  const variable = typeof apiKey === "string" ? /^\$?\{?([A-Z][A-Z0-9_]*)\}?$/.exec(apiKey)?.[1] : undefined
  await reportOtherFields(context, id, given, ["name", "baseUrl", "apiKey", "api", "headers", "models"], (field) =>
    locationOf(["providers", id, field]),
  )
  importProvider(context, await locationOf(["providers", id]), {
    id,
    name: given["name"],
    baseUrl: given["baseUrl"],
    api: typeof api === "string" ? api : null,
    key: variable ?? null,
    headers: given["headers"],
    models: Object.fromEntries(facts),
  })
}
