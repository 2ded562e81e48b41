import { phrase, type Text } from "@gong/spec"
import { join } from "node:path"
import { readPrefixRules } from "./codex-rules.ts"
import { noEquivalent, recordOf, shown } from "../candidate.ts"
import { importHooks } from "../hooks.ts"
import { importCommands, convertPrompt, importInstructions, importSkills } from "../library.ts"
import { importServers } from "../mcp.ts"
import { importModel, importProvider, importThinking, reportOtherFields } from "../models.ts"
import { folderOf, type ImportContext } from "../context.ts"
import type { ConfigFile, SourceLocation } from "../source.ts"
import type { Translate } from "@gong/texts/translator"

/** Codex: `config.toml`, hooks, rules, prompts, skills and instructions of the home or project. */
export async function readCodex(t: Translate, context: ImportContext): Promise<readonly string[]> {
  const { source, candidates, project, userHome } = context
  const folder = project === null ? folderOf(context, "CODEX_HOME", join(userHome, ".codex")) : join(project, ".codex")
  const path = join(folder, "config.toml")
  const config = await source.toml("settings", path)
  if (config !== null) await readConfig(t, context, config)
  const hooks = await source.json("hooks", join(folder, "hooks.json"))
  if (hooks !== null) await hooksOf(context, hooks)
  for (const name of source.files("rules", join(folder, "rules"), ".rules")) {
    const from = join(folder, "rules", name)
    const text = source.text("rules", from)
    if (text !== null) readPrefixRules(context, from, text)
  }
  importCommands(context, join(folder, "prompts"), convertPrompt)
  importSkills(context, join(folder, "skills"))
  if (project === null) {
    importInstructions(context, folder, ["AGENTS.override.md", "AGENTS.md"])
    if (source.exists(join(folder, "auth.json")))
      candidates.skip(
        "keys",
        join(folder, "auth.json"),
        phrase`the login`,
        phrase`keys are not copied: gong login ${"openai"}`,
      )
  } else if (source.exists(join(project, "AGENTS.md")))
    candidates.present("instructions", join(project, "AGENTS.md"), "AGENTS.md", phrase`Gong reads it in place.`)
  return [folder]
}

async function hooksOf(
  { candidates, project, trusted }: ImportContext,
  { value, locationOf }: ConfigFile,
): Promise<void> {
  if (project !== null && !trusted)
    candidates.skip(
      "hooks",
      await locationOf(["hooks"]),
      "hooks",
      phrase`this folder is not trusted; check them, then use --trust yes`,
    )
  else await importHooks(candidates, value["hooks"], locationOf)
}

async function readConfig(t: Translate, context: ImportContext, file: ConfigFile): Promise<void> {
  const { candidates } = context
  const { value: config, locationOf } = file
  const given = config["model_provider"]
  const provider = typeof given === "string" ? given : "openai"
  for (const [id, value] of Object.entries(recordOf(config["model_providers"]) ?? {}))
    await providerOf(context, locationOf, id, value)
  for (const [key, value] of Object.entries(config)) {
    const from = await locationOf([key])
    const skip = (reason: Text, what: Text = `${key} ${shown(value)}`): void =>
      candidates.skip("settings", from, what, reason)
    switch (key) {
      case "model_providers":
        break
      case "model_provider":
        if (config["model"] === undefined)
          skip(phrase`a provider is set with its model: gong config set model PROVIDER/ID`)
        break
      case "model":
        await importModel(t, context, from, value, provider)
        break
      case "model_reasoning_effort":
        importThinking(context, from, key, value)
        break
      case "mcp_servers":
        await importServers(
          t,
          candidates,
          Object.fromEntries(Object.entries(recordOf(value) ?? {}).map(serverOf)),
          (name) => locationOf(["mcp_servers", name]),
        )
        break
      case "hooks":
        await hooksOf(context, file)
        break
      case "approval_policy":
        approvalOf(context, from, value)
        break
      case "sandbox_mode":
        sandboxOf(context, from, value)
        break
      case "sandbox_workspace_write":
        await workspaceWriteOf(context, locationOf, value)
        break
      case "projects":
        skip(
          phrase`trust is not imported: gong trust`,
          phrase`trusted folders (${Object.keys(recordOf(value) ?? {}).length})`,
        )
        break
      case "notify":
        skip(phrase`use a "Stop" hook in settings.json (docs/hooks.md)`)
        break
      default:
        skip(noEquivalent)
    }
  }
}

function serverOf([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  const server = recordOf(value)
  if (server === null) return [name, value]
  const { bearer_token_env_var: bearer, http_headers: headers, ...rest } = server
  const all = {
    ...recordOf(headers),
    ...(typeof bearer === "string" && { Authorization: `Bearer \${${bearer}}` }),
  }
  return [name, Object.keys(all).length > 0 ? { ...rest, headers: all } : rest]
}

const wireFormats: Readonly<Record<string, string>> = { chat: "openai-completions", responses: "openai-responses" }

async function providerOf(
  context: ImportContext,
  locationOf: SourceLocation,
  id: string,
  value: unknown,
): Promise<void> {
  const given = recordOf(value) ?? {}
  const wire = given["wire_api"] ?? "responses"
  const key = given["env_key"]
  const fieldLocation = (field: string): Promise<string> => locationOf(["model_providers", id, field])
  const { experimental_bearer_token: token, ...others } = given
  if (token !== undefined) {
    const from = await fieldLocation("experimental_bearer_token")
    context.candidates.skip(
      "keys",
      from,
      `${id} experimental_bearer_token`,
      phrase`its key is not copied: gong login ${id}`,
    )
  }
  await reportOtherFields(
    context,
    id,
    others,
    ["name", "base_url", "env_key", "wire_api", "http_headers"],
    fieldLocation,
  )
  importProvider(context, await locationOf(["model_providers", id]), {
    id,
    name: given["name"],
    baseUrl: given["base_url"],
    api: typeof wire === "string" && Object.hasOwn(wireFormats, wire) ? (wireFormats[wire] ?? null) : shown(wire),
    key: typeof key === "string" && /^[A-Za-z_]\w*$/.test(key) ? key : null,
    headers: given["http_headers"],
    models: {},
  })
}

function approvalOf({ candidates, project }: ImportContext, from: string, value: unknown): void {
  const what = `approval_policy ${shown(value)}`
  if (value === "on-request") return candidates.present("rules", from, what, phrase`it is the default of Gong.`)
  if (value === "untrusted" && project === null)
    return candidates.add("rules", from, what, { op: "setting", name: "permission", value: "ask" })
  const never = phrase`Gong refuses if nobody can answer; --yolo allows everything.`
  candidates.skip("rules", from, what, value === "never" ? never : noEquivalent)
}

/** The sandbox of the mode workspace-write. */
async function workspaceWriteOf(
  { candidates, project }: ImportContext,
  locationOf: SourceLocation,
  value: unknown,
): Promise<void> {
  for (const [key, given] of Object.entries(recordOf(value) ?? {})) {
    const from = await locationOf(["sandbox_workspace_write", key])
    const what = `${key} ${shown(given)}`
    if (key === "network_access" && typeof given === "boolean" && project === null)
      candidates.add("settings", from, what, { op: "setting", name: "network", value: given ? "on" : "off" })
    else
      candidates.skip(
        "settings",
        from,
        what,
        key === "network_access" ? phrase`a project cannot set it.` : noEquivalent,
      )
  }
}

function sandboxOf({ candidates, project }: ImportContext, from: string, value: unknown): void {
  const what = `sandbox_mode ${shown(value)}`
  const modes: Readonly<Record<string, string>> = { "read-only": "read-only", "workspace-write": "workspace" }
  const mode = typeof value === "string" && Object.hasOwn(modes, value) ? modes[value] : undefined
  if (mode !== undefined && project === null)
    return candidates.add("settings", from, what, { op: "setting", name: "sandbox", value: mode })
  const off = phrase`Gong does not import this: --sandbox off, or gong config set sandbox off`
  const reason =
    project !== null ? phrase`a project cannot set it.` : value === "danger-full-access" ? off : noEquivalent
  candidates.skip("settings", from, what, reason)
}
