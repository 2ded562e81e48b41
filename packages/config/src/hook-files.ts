import { join } from "node:path"
import { isRecord, phrase, type Text, type Trusted, claudeFolder, ownFolder } from "@gong/spec"
import { hookFile, type HookFile, parseLenient, trustedText } from "./settings/read.ts"

/** Locations of a folder's hooks, besides its settings. */
const locations = [
  [ownFolder, "hooks.json"],
  [claudeFolder, "settings.json"],
  [claudeFolder, "settings.local.json"],
] as const

export interface HookFiles {
  readonly files: readonly HookFile[]
  /** Complete lines for the user about unreadable files. */
  readonly lines: readonly Text[]
}

/** Hooks in separate files of a folder. Only a trusted folder has any. */
export async function readHookFiles(trusted: Trusted): Promise<HookFiles> {
  const files: HookFile[] = []
  const lines: Text[] = []
  for (const location of locations) {
    if (!trusted.files.has(location.join("/"))) continue
    const path = join(trusted.root, ...location)
    const text = await trustedText(trusted, location.join("/"))
    const parsed = text.ok ? await parseLenient(text.value ?? "", path) : text
    if (!parsed.ok) lines.push(...parsed.error.texts.map((line) => phrase`${line} Its hooks are not active.`))
    else if (!isRecord(parsed.value)) lines.push(phrase`gong: ${path}:1: hooks must be in an object, {"hooks": {...}}.`)
    else {
      const file = hookFile(path, (text.ok && text.value) || "", parsed.value["hooks"])
      if (file !== null) files.push(file)
    }
  }
  return { files, lines }
}
