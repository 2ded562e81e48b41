import { phrase, type Text } from "@gong/spec"
import { join } from "node:path"
import { readPrefixRules } from "./codex-rules.ts"
import { noCounterpart, recordOf, shown } from "../candidate.ts"
import { moveHooks } from "../hooks.ts"
import { moveCommands, movedPrompt, moveInstructions, moveSkills } from "../library.ts"
import { moveServers } from "../mcp.ts"
import { moveModel, moveProvider, moveThinking, reportOtherFields } from "../models.ts"
import { folderOf, type ImportContext } from "../context.ts"
import type { ConfigFile, SourceLocation } from "../source.ts"
import type { Translate } from "@gong/texts/translator"

/** Codex: `config.toml`, hooks, rules, prompts, skills and instructions of the home or project. */
export async function readCodex(t: Translate, place: ImportContext): Promise<readonly string[]> {
  const { source, candidates, project, userHome } = place
  const folder = project === null ? folderOf(place, "CODEX_HOME", join(userHome, ".codex")) : join(project, ".codex")
  const path = join(folder, "config.toml")
  const config = await source.toml("settings", path)
  if (config !== null) await readConfig(t, place, config)
  const hooks = await source.json("hooks", join(folder, "hooks.json"))
  if (hooks !== null) await hooksOf(place, hooks)
  for (const name of source.files("rules", join(folder, "rules"), ".rules")) {
    const from = join(folder, "rules", name)
    const text = source.text("rules", from)
    if (text !== null) readPrefixRules(place, from, text)
  }
  moveCommands(place, join(folder, "prompts"), movedPrompt)
  moveSkills(place, join(folder, "skills"))
  if (project === null) {
    moveInstructions(place, folder, ["AGENTS.override.md", "AGENTS.md"])
    if (source.exists(join(folder, "auth.json")))
      candidates.left(
        "keys",
        join(folder, "auth.json"),
        phrase`the login`,
        phrase`keys are not copied: gong login ${"openai"}`,
      )
  } else if (source.exists(join(project, "AGENTS.md")))
    candidates.there("instructions", join(project, "AGENTS.md"), "AGENTS.md", phrase`Gong reads it where it is.`)
  return [folder]
}

async function hooksOf(
  { candidates, project, trusted }: ImportContext,
  { value, locationOf }: ConfigFile,
): Promise<void> {
  if (project !== null && !trusted)
    candidates.left(
      "hooks",
      await locationOf(["hooks"]),
      "hooks",
      phrase`this folder is not trusted; look at them, then: --trust yes`,
    )
  else await moveHooks(candidates, value["hooks"], locationOf)
}

async function readConfig(t: Translate, place: ImportContext, file: ConfigFile): Promise<void> {
  const { candidates } = place
  const { value: config, locationOf } = file
  const given = config["model_provider"]
  const provider = typeof given === "string" ? given : "openai"
  for (const [id, value] of Object.entries(recordOf(config["model_providers"]) ?? {}))
    await providerOf(place, locationOf, id, value)
  for (const [key, value] of Object.entries(config)) {
    const from = await locationOf([key])
    const left = (reason: Text, what: Text = `${key} ${shown(value)}`): void =>
      candidates.left("settings", from, what, reason)
    switch (key) {
      case "model_providers":
        break
      case "model_provider":
        if (config["model"] === undefined)
          left(phrase`a provider is chosen with its model: gong config set model PROVIDER/ID`)
        break
      case "model":
        await moveModel(t, place, from, value, provider)
        break
      case "model_reasoning_effort":
        moveThinking(place, from, key, value)
        break
      case "mcp_servers":
        await moveServers(
          t,
          candidates,
          Object.fromEntries(Object.entries(recordOf(value) ?? {}).map(serverOf)),
          (name) => locationOf(["mcp_servers", name]),
        )
        break
      case "hooks":
        await hooksOf(place, file)
        break
      case "approval_policy":
        approvalOf(place, from, value)
        break
      case "sandbox_mode":
        sandboxOf(place, from, value)
        break
      case "projects":
        left(
          phrase`trust is given to a folder by you: gong trust`,
          phrase`trust of folders (${Object.keys(recordOf(value) ?? {}).length})`,
        )
        break
      case "notify":
        left(phrase`write it as a hook: "Stop" in settings.json (docs/hooks.md)`)
        break
      default:
        left(noCounterpart)
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

const wires: Readonly<Record<string, string>> = { chat: "openai-completions", responses: "openai-responses" }

async function providerOf(place: ImportContext, locationOf: SourceLocation, id: string, value: unknown): Promise<void> {
  const given = recordOf(value) ?? {}
  const wire = given["wire_api"] ?? "responses"
  const key = given["env_key"]
  const spotOf = (field: string): Promise<string> => locationOf(["model_providers", id, field])
  const { experimental_bearer_token: token, ...others } = given
  if (token !== undefined) {
    const from = await spotOf("experimental_bearer_token")
    place.candidates.left(
      "keys",
      from,
      `${id} experimental_bearer_token`,
      phrase`its key is not copied: gong login ${id}`,
    )
  }
  await reportOtherFields(place, id, others, ["name", "base_url", "env_key", "wire_api", "http_headers"], spotOf)
  moveProvider(place, await locationOf(["model_providers", id]), {
    id,
    name: given["name"],
    baseUrl: given["base_url"],
    api: typeof wire === "string" && Object.hasOwn(wires, wire) ? (wires[wire] ?? null) : shown(wire),
    key: typeof key === "string" && /^[A-Za-z_]\w*$/.test(key) ? key : null,
    headers: given["http_headers"],
    models: {},
  })
}

function approvalOf({ candidates, project }: ImportContext, from: string, value: unknown): void {
  const what = `approval_policy ${shown(value)}`
  if (value === "on-request") return candidates.there("rules", from, what, phrase`it is Gong's own way.`)
  if (value === "untrusted" && project === null)
    return candidates.take("rules", from, what, { op: "setting", name: "permission", value: "ask" })
  const never = phrase`where nobody is there Gong refuses; --yolo lets everything run.`
  candidates.left("rules", from, what, value === "never" ? never : noCounterpart)
}

function sandboxOf({ candidates, project }: ImportContext, from: string, value: unknown): void {
  const what = `sandbox_mode ${shown(value)}`
  const modes: Readonly<Record<string, string>> = { "read-only": "read-only", "workspace-write": "workspace" }
  const mode = typeof value === "string" && Object.hasOwn(modes, value) ? modes[value] : undefined
  if (mode !== undefined && project === null)
    return candidates.take("settings", from, what, { op: "setting", name: "sandbox", value: mode })
  const off = phrase`Gong does not take this over by itself: --sandbox off, or gong config set sandbox off`
  const reason =
    project !== null ? phrase`a project may not set it.` : value === "danger-full-access" ? off : noCounterpart
  candidates.left("settings", from, what, reason)
}
