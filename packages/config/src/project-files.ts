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
      if (location[0] !== claudeFolder) continue
      const rules = await claudeRulesIn(parsed.value, source)
      deny.push(...rules.deny)
      lines.push(...rules.lines)
    }
  }
  return { hooks: disabled ? [] : hooks, deny, lines }
}

async function claudeRulesIn(
  value: Readonly<Record<string, unknown>>,
  source: { readonly path: string; readonly text: string },
): Promise<Pick<ProjectFiles, "deny" | "lines">> {
  const deny: ClaudeRule[] = []
  const lines: Text[] = []
  for (const [at, text] of denyRulesOf(value).entries()) {
    const place = await locationOf(source, ["permissions", "deny", at])
    if (typeof text === "string") deny.push({ at: place, text })
    else lines.push(phrase`gong: ${place}: a deny rule is a text in a list, ["Bash(rm:*)"]; this one does not hold.`)
  }
  return { deny, lines }
}

/** `permissions.deny` in settings of Claude Code; a value that is no list counts as one invalid rule. */
export function denyRulesOf(settings: Readonly<Record<string, unknown>>): readonly unknown[] {
  const permissions = settings["permissions"]
  const deny = isRecord(permissions) ? permissions["deny"] : undefined
  if (deny === undefined) return []
  return Array.isArray(deny) ? deny : [null]
}
