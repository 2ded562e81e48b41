import { phrase, type Phrase, type Text } from "@gong/spec"
import { join } from "node:path"
import { claudeFolder } from "../../folders.ts"
import { moveClaudeRule } from "./claude-rules.ts"
import { noCounterpart, type Plain, recordOf, shown, textsOf } from "./finding.ts"
import { moveHooks } from "./hooks.ts"
import { moveAgents, moveCommands, movedTemplate, moveInstructions, moveSkills, tellFiles } from "./library.ts"
import { moveServers } from "./mcp.ts"
import { moveModel } from "./models.ts"
import { folderOf, type ImportPlace } from "./place.ts"
import { type ConfigFile, maxMemoryBytes } from "./source.ts"
import type { Translate } from "../../texts/translator.ts"

/** Claude Code: its folder in the home or project, and its state file. */
export async function readClaude(t: Translate, place: ImportPlace): Promise<readonly string[]> {
  const { source, findings, project, userHome } = place
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
  tellFiles(place, "extensions", join(folder, "plugins"), phrase`Gong runs no plugins of Claude Code.`)
  if (project !== null) {
    const shared = await source.json("mcp", join(project, ".mcp.json"))
    if (shared !== null)
      await moveServers(t, findings, shared.value["mcpServers"], (name) => shared.spot(["mcpServers", name]))
  }
  const memories = [...new Set([userHome, own].map((above) => join(above, `${claudeFolder}.json`)))]
  for (const path of memories) await readMemory(t, place, path)
  if (project === null && source.exists(join(folder, ".credentials.json")))
    findings.left(
      "keys",
      join(folder, ".credentials.json"),
      phrase`the login`,
      phrase`keys are not copied: gong login ${"anthropic"}`,
    )
  return [folder, ...memories]
}

function tellInstructions({ source, findings }: ImportPlace, project: string): void {
  for (const name of ["AGENTS.md", "CLAUDE.md"])
    if (source.exists(join(project, name)))
      findings.there("instructions", join(project, name), name, phrase`Gong reads it where it is.`)
}

async function readMemory(t: Translate, { own, findings, project }: ImportPlace, path: string): Promise<void> {
  const memory = await own.json("mcp", path, maxMemoryBytes)
  if (memory === null) return
  const projects = recordOf(memory.value["projects"]) ?? {}
  const of = project === null ? memory.value : recordOf(Object.hasOwn(projects, project) ? projects[project] : null)
  if (of === null) return
  const above = project === null ? [] : ["projects", project]
  await moveServers(t, findings, of["mcpServers"], (name) => memory.spot([...above, "mcpServers", name]))
  if (project === null && typeof memory.value["primaryApiKey"] === "string")
    findings.left(
      "keys",
      await memory.spot(["primaryApiKey"]),
      "primaryApiKey",
      phrase`keys are not copied: gong login ${"anthropic"}`,
    )
}

async function readSettings(t: Translate, place: ImportPlace, file: ConfigFile): Promise<void> {
  const { findings, project } = place
  for (const [key, value] of Object.entries(file.value)) {
    const from = await file.spot([key])
    const left = (reason: Text): void => findings.left("settings", from, `${key} ${shown(value)}`, reason)
    switch (key) {
      case "$schema":
        break
      case "hooks":
        if (file.value["disableAllHooks"] === true)
          findings.left("hooks", from, "hooks", phrase`disableAllHooks switches them off.`)
        else if (project === null) await moveHooks(findings, value, file.spot)
        else findings.there("hooks", from, "hooks", phrase`Gong reads them where they are, once the folder is trusted.`)
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
        findings.left(
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

async function readEnv({ findings }: ImportPlace, { spot }: ConfigFile, env: Plain): Promise<void> {
  for (const [name, value] of Object.entries(env)) {
    const from = await spot(["env", name])
    if (/key|token|secret|passw/i.test(name)) findings.left("keys", from, name, phrase`keys are not copied: gong login`)
    else
      findings.left(
        "settings",
        from,
        `env ${name}=${shown(value)}`,
        phrase`Gong sets no variables; export it in your shell.`,
      )
  }
}

async function readPermissions(place: ImportPlace, file: ConfigFile, permissions: Plain): Promise<void> {
  const { findings, project, trusted } = place
  const settingsFolder = project === null ? file.path.slice(0, file.path.lastIndexOf("/")) : ""
  for (const [key, value] of Object.entries(permissions)) {
    const from = await file.spot(["permissions", key])
    if (key === "defaultMode") readMode(place, from, value)
    else if (key === "allow" || key === "deny") {
      for (const [at, text] of textsOf(value).entries()) {
        const moved = moveClaudeRule(text, key, settingsFolder)
        const spot = await file.spot(["permissions", key, at])
        if (!moved.ok) findings.left("rules", spot, `${key} ${shown(text)}`, moved.reason)
        else if (key === "allow" && project !== null && !trusted)
          findings.left(
            "rules",
            spot,
            `${key} ${shown(text)}`,
            phrase`a folder that is not trusted may allow itself nothing.`,
          )
        else
          for (const rule of moved.rules)
            findings.take("rules", spot, `${key} ${rule}`, { op: "rule", list: key, rule }, moved.note)
      }
    } else if (key === "ask") {
      for (const [at, text] of textsOf(value).entries()) {
        const spot = await file.spot(["permissions", key, at])
        findings.left(
          "rules",
          spot,
          `ask ${shown(text)}`,
          phrase`Gong has no such rules; at the level ask everything asks.`,
        )
      }
    } else
      findings.left("rules", from, `${key} ${shown(value)}`, key === "additionalDirectories" ? addDir : noCounterpart)
  }
}

const addDir = phrase`folders are named for each session: --add-dir DIR`

const modes: Readonly<Record<string, Phrase>> = {
  acceptEdits: phrase`the level auto is near it, and lets commands run in the sandbox too: gong config set permission auto`,
  bypassPermissions: phrase`Gong does not take this over by itself: --yolo, or gong config set permission full`,
  dontAsk: phrase`Gong asks, or refuses where nobody is there.`,
}

function readMode({ findings, project }: ImportPlace, from: string, mode: unknown): void {
  if (mode === "default") return findings.there("rules", from, "defaultMode default", phrase`it is Gong's own way.`)
  if (mode === "plan" && project === null)
    return findings.take("rules", from, "defaultMode plan", { op: "setting", name: "permission", value: "plan" })
  const reason = typeof mode === "string" && Object.hasOwn(modes, mode) ? modes[mode] : undefined
  findings.left("rules", from, `defaultMode ${shown(mode)}`, reason ?? noCounterpart)
}
