import { join } from "node:path"
import { isRecord, phrase, type Text, type Trusted, claudeFolder, ownFolder } from "@gong/spec"
import { hookFile, type HookFile, locationOf, parseLenient, trustedText } from "./settings/read.ts"

/** Locations of a folder's hooks, besides its settings. Those of Claude Code also contain deny rules. */
const locations = [
  [ownFolder, "hooks.json"],
  [claudeFolder, "settings.json"],
  [claudeFolder, "settings.local.json"],
] as const

/** A deny rule in the notation of Claude Code. */
export interface ClaudeRule {
  /** `file:line`. */
  readonly at: string
  readonly text: string
}

export interface ProjectFiles {
  readonly hooks: readonly HookFile[]
  readonly deny: readonly ClaudeRule[]
  /** Complete lines for the user about unreadable files. */
  readonly lines: readonly Text[]
}

/**
 * Reads the hooks and deny rules of a trusted folder, except those in `.gong/settings.json`. `disableAllHooks` in one of the files
 * turns the hooks of all of them off.
 */
export async function readProjectFiles(trusted: Trusted): Promise<ProjectFiles> {
  const hooks: HookFile[] = []
  const deny: ClaudeRule[] = []
  const lines: Text[] = []
  let disabled = false
  for (const location of locations) {
    if (!trusted.files.has(location.join("/"))) continue
    const path = join(trusted.root, ...location)
    const text = await trustedText(trusted, location.join("/"))
    const parsed = text.ok ? await parseLenient(text.value ?? "", path) : text
    if (!parsed.ok) lines.push(...parsed.error.texts.map((line) => phrase`${line} Its hooks and rules are not active.`))
    else if (!isRecord(parsed.value)) lines.push(phrase`gong: ${path}:1: hooks must be in an object, {"hooks": {...}}.`)
    else {
      const source = { path, text: (text.ok && text.value) || "" }
      const file = hookFile(source.path, source.text, parsed.value["hooks"])
      if (file !== null) hooks.push(file)
      disabled ||= parsed.value["disableAllHooks"] === true
      if (location[0] === claudeFolder) deny.push(...(await claudeRulesIn(parsed.value, source)))
    }
  }
  return { hooks: disabled ? [] : hooks, deny, lines }
}

async function claudeRulesIn(
  value: Readonly<Record<string, unknown>>,
  source: { readonly path: string; readonly text: string },
): Promise<readonly ClaudeRule[]> {
  const rules: ClaudeRule[] = []
  for (const [at, text] of denyRulesOf(value).entries())
    if (typeof text === "string") rules.push({ at: await locationOf(source, ["permissions", "deny", at]), text })
  return rules
}

/** `permissions.deny` in settings of Claude Code. */
export function denyRulesOf(settings: Readonly<Record<string, unknown>>): readonly unknown[] {
  const permissions = settings["permissions"]
  const deny = isRecord(permissions) ? permissions["deny"] : undefined
  return Array.isArray(deny) ? deny : []
}
