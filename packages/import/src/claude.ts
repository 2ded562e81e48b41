import { phrase, type Phrase, type Text, claudeFolder } from "@gong/spec"
import { join } from "node:path"
import { convertClaudeRule } from "@gong/policy/claude-rules"
import { noEquivalent, type JsonObject, recordOf, shown, textsOf } from "./candidate.ts"
import { importHooks } from "./hooks.ts"
import {
  importAgents,
  importCommands,
  convertTemplate,
  reportPrompts,
  importInstructions,
  importSkills,
  reportFiles,
} from "./library.ts"
import { importServers } from "./mcp.ts"
import { importModel } from "./models.ts"
import { folderOf, type ImportContext } from "./context.ts"
import { type ConfigFile, maxStateBytes } from "./source.ts"
import type { Translate } from "@gong/texts/translator"

/** Claude Code: its folder in the home or project, and its state file. */
export async function readClaude(t: Translate, context: ImportContext): Promise<readonly string[]> {
  const { source, candidates, project, userHome } = context
  const own = folderOf(context, "CLAUDE_CONFIG_DIR", join(userHome, claudeFolder))
  const folder = project === null ? own : join(project, claudeFolder)
  for (const name of project === null ? ["settings.json"] : ["settings.json", "settings.local.json"]) {
    const file = await source.json("settings", join(folder, name))
    if (file !== null) await readSettings(t, context, file)
  }
  if (project === null) importCommands(context, join(folder, "commands"), convertTemplate)
  else reportPrompts(context, join(folder, "commands"), inPlace)
  importSkills(context, join(folder, "skills"))
  importAgents(context, join(folder, "agents"))
  if (project === null) importInstructions(context, folder, ["CLAUDE.md"])
  else reportInstructions(context, project)
  reportFiles(context, "extensions", join(folder, "plugins"), phrase`Gong does not run plugins of Claude Code.`)
  if (project !== null) {
    const shared = await source.json("mcp", join(project, ".mcp.json"))
    if (shared !== null)
      for (const name of Object.keys(recordOf(shared.value["mcpServers"]) ?? {}))
        candidates.present("mcp", await shared.locationOf(["mcpServers", name]), name, inPlace)
  }
  const stateFiles = [...new Set([userHome, own].map((above) => join(above, `${claudeFolder}.json`)))]
  for (const path of stateFiles) await readStateFile(t, context, path)
  if (project === null && source.exists(join(folder, ".credentials.json")))
    candidates.skip(
      "keys",
      join(folder, ".credentials.json"),
      phrase`the login`,
      phrase`keys are not copied: gong login ${"anthropic"}`,
    )
  return [folder, ...stateFiles]
}

const inPlace = phrase`Gong reads this in place when the folder is trusted.`

function reportInstructions({ source, candidates }: ImportContext, project: string): void {
  for (const name of ["AGENTS.md", "CLAUDE.md"])
    if (source.exists(join(project, name)))
      candidates.present("instructions", join(project, name), name, phrase`Gong reads it in place.`)
}

async function readStateFile(t: Translate, { own, candidates, project }: ImportContext, path: string): Promise<void> {
  const stateFile = await own.json("mcp", path, maxStateBytes)
  if (stateFile === null) return
  const projects = recordOf(stateFile.value["projects"]) ?? {}
  const of = project === null ? stateFile.value : recordOf(Object.hasOwn(projects, project) ? projects[project] : null)
  if (of === null) return
  const above = project === null ? [] : ["projects", project]
  await importServers(t, candidates, of["mcpServers"], (name) => stateFile.locationOf([...above, "mcpServers", name]))
  if (project === null && typeof stateFile.value["primaryApiKey"] === "string")
    candidates.skip(
      "keys",
      await stateFile.locationOf(["primaryApiKey"]),
      "primaryApiKey",
      phrase`keys are not copied: gong login ${"anthropic"}`,
    )
}

async function readSettings(t: Translate, context: ImportContext, file: ConfigFile): Promise<void> {
  const { candidates, project } = context
  for (const [key, value] of Object.entries(file.value)) {
    const from = await file.locationOf([key])
    const skip = (reason: Text): void => candidates.skip("settings", from, `${key} ${shown(value)}`, reason)
    switch (key) {
      case "$schema":
        break
      case "hooks":
        if (file.value["disableAllHooks"] === true)
          candidates.skip("hooks", from, "hooks", phrase`disableAllHooks is set.`)
        else if (project === null) await importHooks(candidates, value, file.locationOf)
        else candidates.present("hooks", from, "hooks", inPlace)
        break
      case "permissions":
        await readPermissions(context, file, recordOf(value) ?? {})
        break
      case "model":
        await importModel(t, context, from, value, "anthropic")
        break
      case "env":
        await readEnv(context, file, recordOf(value) ?? {})
        break
      case "apiKeyHelper":
        candidates.skip(
          "keys",
          from,
          key,
          phrase`keys are not copied: "apiKeyCommand" in auth.json runs a program (docs/keys.md)`,
        )
        break
      default:
        skip(noEquivalent)
    }
  }
}

async function readEnv({ candidates }: ImportContext, { locationOf }: ConfigFile, env: JsonObject): Promise<void> {
  for (const [name, value] of Object.entries(env)) {
    const from = await locationOf(["env", name])
    if (/key|token|secret|passw/i.test(name))
      candidates.skip("keys", from, name, phrase`keys are not copied: gong login`)
    else
      candidates.skip(
        "settings",
        from,
        `env ${name}=${shown(value)}`,
        phrase`Gong does not set variables; export it in your shell.`,
      )
  }
}

async function readPermissions(context: ImportContext, file: ConfigFile, permissions: JsonObject): Promise<void> {
  const { candidates, project, trusted } = context
  const settingsFolder = project === null ? file.path.slice(0, file.path.lastIndexOf("/")) : ""
  for (const [key, value] of Object.entries(permissions)) {
    const from = await file.locationOf(["permissions", key])
    if (key === "defaultMode") readMode(context, from, value)
    else if (key === "allow" || key === "deny") {
      for (const [at, text] of textsOf(value).entries()) {
        const converted = convertClaudeRule(text, key, settingsFolder)
        const locationOf = await file.locationOf(["permissions", key, at])
        if (!converted.ok) candidates.skip("rules", locationOf, `${key} ${shown(text)}`, converted.reason)
        else if (key === "deny" && project !== null) candidates.present("rules", locationOf, `${key} ${text}`, inPlace)
        else if (key === "allow" && project !== null && !trusted)
          candidates.skip(
            "rules",
            locationOf,
            `${key} ${shown(text)}`,
            phrase`an untrusted folder cannot add allow rules.`,
          )
        else
          for (const rule of converted.rules)
            candidates.add("rules", locationOf, `${key} ${rule}`, { op: "rule", list: key, rule }, converted.note)
      }
    } else if (key === "ask") {
      for (const [at, text] of textsOf(value).entries()) {
        const locationOf = await file.locationOf(["permissions", key, at])
        candidates.skip(
          "rules",
          locationOf,
          `ask ${shown(text)}`,
          phrase`Gong has no such rules; the level ask always asks.`,
        )
      }
    } else
      candidates.skip("rules", from, `${key} ${shown(value)}`, key === "additionalDirectories" ? addDir : noEquivalent)
  }
}

const addDir = phrase`folders are given per session: --add-dir DIR`

const modes: Readonly<Record<string, Phrase>> = {
  acceptEdits: phrase`the closest level is auto, which also runs commands in the sandbox: gong config set permission auto`,
  bypassPermissions: phrase`Gong does not import this: --yolo, or gong config set permission full`,
  dontAsk: phrase`Gong asks, or refuses if nobody can answer.`,
}

function readMode({ candidates, project }: ImportContext, from: string, mode: unknown): void {
  if (mode === "default")
    return candidates.present("rules", from, "defaultMode default", phrase`it is the default of Gong.`)
  if (mode === "plan" && project === null)
    return candidates.add("rules", from, "defaultMode plan", { op: "setting", name: "permission", value: "plan" })
  const reason = typeof mode === "string" && Object.hasOwn(modes, mode) ? modes[mode] : undefined
  candidates.skip("rules", from, `defaultMode ${shown(mode)}`, reason ?? noEquivalent)
}
