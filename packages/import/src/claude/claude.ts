import { phrase, type Phrase, type Text, claudeFolder } from "@gong/spec"
import { join } from "node:path"
import { moveClaudeRule } from "./claude-rules.ts"
import { noCounterpart, type Plain, recordOf, shown, textsOf } from "../candidate.ts"
import { moveHooks } from "../hooks.ts"
import { moveAgents, moveCommands, movedTemplate, moveInstructions, moveSkills, reportFiles } from "../library.ts"
import { moveServers } from "../mcp.ts"
import { moveModel } from "../models.ts"
import { folderOf, type ImportContext } from "../context.ts"
import { type ConfigFile, maxMemoryBytes } from "../source.ts"
import type { Translate } from "@gong/texts/translator"

/** Claude Code: its folder in the home or project, and its state file. */
export async function readClaude(t: Translate, place: ImportContext): Promise<readonly string[]> {
  const { source, candidates, project, userHome } = place
  const own = folderOf(place, "CLAUDE_CONFIG_DIR", join(userHome, claudeFolder))
  const folder = project === null ? own : join(project, claudeFolder)
  for (const name of project === null ? ["settings.json"] : ["settings.json", "settings.local.json"]) {
    const file = await source.json("settings", join(folder, name))
    if (file !== null) await readSettings(t, place, file)
  }
  moveCommands(place, join(folder, "commands"), movedTemplate)
  moveSkills(place, join(folder, "skills"))
  moveAgents(place, join(folder, "agents"))
  if (project === null) moveInstructions(place, folder, ["CLAUDE.md"])
  else tellInstructions(place, project)
  reportFiles(place, "extensions", join(folder, "plugins"), phrase`Gong runs no plugins of Claude Code.`)
  if (project !== null) {
    const shared = await source.json("mcp", join(project, ".mcp.json"))
    if (shared !== null)
      await moveServers(t, candidates, shared.value["mcpServers"], (name) => shared.locationOf(["mcpServers", name]))
  }
  const memories = [...new Set([userHome, own].map((above) => join(above, `${claudeFolder}.json`)))]
  for (const path of memories) await readMemory(t, place, path)
  if (project === null && source.exists(join(folder, ".credentials.json")))
    candidates.left(
      "keys",
      join(folder, ".credentials.json"),
      phrase`the login`,
      phrase`keys are not copied: gong login ${"anthropic"}`,
    )
  return [folder, ...memories]
}

function tellInstructions({ source, candidates }: ImportContext, project: string): void {
  for (const name of ["AGENTS.md", "CLAUDE.md"])
    if (source.exists(join(project, name)))
      candidates.there("instructions", join(project, name), name, phrase`Gong reads it where it is.`)
}

async function readMemory(t: Translate, { own, candidates, project }: ImportContext, path: string): Promise<void> {
  const memory = await own.json("mcp", path, maxMemoryBytes)
  if (memory === null) return
  const projects = recordOf(memory.value["projects"]) ?? {}
  const of = project === null ? memory.value : recordOf(Object.hasOwn(projects, project) ? projects[project] : null)
  if (of === null) return
  const above = project === null ? [] : ["projects", project]
  await moveServers(t, candidates, of["mcpServers"], (name) => memory.locationOf([...above, "mcpServers", name]))
  if (project === null && typeof memory.value["primaryApiKey"] === "string")
    candidates.left(
      "keys",
      await memory.locationOf(["primaryApiKey"]),
      "primaryApiKey",
      phrase`keys are not copied: gong login ${"anthropic"}`,
    )
}

async function readSettings(t: Translate, place: ImportContext, file: ConfigFile): Promise<void> {
  const { candidates, project } = place
  for (const [key, value] of Object.entries(file.value)) {
    const from = await file.locationOf([key])
    const left = (reason: Text): void => candidates.left("settings", from, `${key} ${shown(value)}`, reason)
    switch (key) {
      case "$schema":
        break
      case "hooks":
        if (file.value["disableAllHooks"] === true)
          candidates.left("hooks", from, "hooks", phrase`disableAllHooks switches them off.`)
        else if (project === null) await moveHooks(candidates, value, file.locationOf)
        else
          candidates.there("hooks", from, "hooks", phrase`Gong reads them where they are, once the folder is trusted.`)
        break
      case "permissions":
        await readPermissions(place, file, recordOf(value) ?? {})
        break
      case "model":
        await moveModel(t, place, from, value, "anthropic")
        break
      case "env":
        await readEnv(place, file, recordOf(value) ?? {})
        break
      case "apiKeyHelper":
        candidates.left(
          "keys",
          from,
          key,
          phrase`keys are not copied: "apiKeyCommand" in auth.json asks a program (docs/keys.md)`,
        )
        break
      default:
        left(noCounterpart)
    }
  }
}

async function readEnv({ candidates }: ImportContext, { locationOf }: ConfigFile, env: Plain): Promise<void> {
  for (const [name, value] of Object.entries(env)) {
    const from = await locationOf(["env", name])
    if (/key|token|secret|passw/i.test(name))
      candidates.left("keys", from, name, phrase`keys are not copied: gong login`)
    else
      candidates.left(
        "settings",
        from,
        `env ${name}=${shown(value)}`,
        phrase`Gong sets no variables; export it in your shell.`,
      )
  }
}

async function readPermissions(place: ImportContext, file: ConfigFile, permissions: Plain): Promise<void> {
  const { candidates, project, trusted } = place
  const settingsFolder = project === null ? file.path.slice(0, file.path.lastIndexOf("/")) : ""
  for (const [key, value] of Object.entries(permissions)) {
    const from = await file.locationOf(["permissions", key])
    if (key === "defaultMode") readMode(place, from, value)
    else if (key === "allow" || key === "deny") {
      for (const [at, text] of textsOf(value).entries()) {
        const moved = moveClaudeRule(text, key, settingsFolder)
        const locationOf = await file.locationOf(["permissions", key, at])
        if (!moved.ok) candidates.left("rules", locationOf, `${key} ${shown(text)}`, moved.reason)
        else if (key === "allow" && project !== null && !trusted)
          candidates.left(
            "rules",
            locationOf,
            `${key} ${shown(text)}`,
            phrase`a folder that is not trusted may allow itself nothing.`,
          )
        else
          for (const rule of moved.rules)
            candidates.take("rules", locationOf, `${key} ${rule}`, { op: "rule", list: key, rule }, moved.note)
      }
    } else if (key === "ask") {
      for (const [at, text] of textsOf(value).entries()) {
        const locationOf = await file.locationOf(["permissions", key, at])
        candidates.left(
          "rules",
          locationOf,
          `ask ${shown(text)}`,
          phrase`Gong has no such rules; at the level ask everything asks.`,
        )
      }
    } else
      candidates.left("rules", from, `${key} ${shown(value)}`, key === "additionalDirectories" ? addDir : noCounterpart)
  }
}

const addDir = phrase`folders are named for each session: --add-dir DIR`

const modes: Readonly<Record<string, Phrase>> = {
  acceptEdits: phrase`the level auto is near it, and lets commands run in the sandbox too: gong config set permission auto`,
  bypassPermissions: phrase`Gong does not take this over by itself: --yolo, or gong config set permission full`,
  dontAsk: phrase`Gong asks, or refuses where nobody is there.`,
}

function readMode({ candidates, project }: ImportContext, from: string, mode: unknown): void {
  if (mode === "default") return candidates.there("rules", from, "defaultMode default", phrase`it is Gong's own way.`)
  if (mode === "plan" && project === null)
    return candidates.take("rules", from, "defaultMode plan", { op: "setting", name: "permission", value: "plan" })
  const reason = typeof mode === "string" && Object.hasOwn(modes, mode) ? modes[mode] : undefined
  candidates.left("rules", from, `defaultMode ${shown(mode)}`, reason ?? noCounterpart)
}
