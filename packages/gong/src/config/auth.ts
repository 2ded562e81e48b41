import { statSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "@gong/spec"
import { parseLenient, readText } from "./settings/read.ts"
import { ok, usage, type Outcome } from "./usage.ts"

/** A key as `auth.json` keeps it: it goes to this origin and to no other. */
export interface StoredKey {
  readonly key: string
  /** Scheme, host and port, as `https://api.anthropic.com`. */
  readonly origin: string
}

export interface AuthFile {
  readonly path: string
  readonly keys: ReadonlyMap<string, StoredKey>
  /** Whole lines for the user. */
  readonly warnings: readonly string[]
}

/** The user's `auth.json`, `{"provider": {"key": "...", "origin": "https://..."}}`; no keys when there is none. */
export async function readAuth(home: string): Promise<Outcome<AuthFile>> {
  const path = join(home, "auth.json")
  const text = readText(path)
  if (!text.ok) return text
  if (text.value === null) return ok({ path, keys: new Map(), warnings: [] })
  const parsed = await parseLenient(text.value, path)
  if (!parsed.ok) return parsed
  const shape = 'Write {"PROVIDER": {"key": "...", "origin": "https://..."}} or move the file away.'
  if (!isRecord(parsed.value)) return usage(`${path}:1: keys are an object. ${shape}`)
  const keys = new Map<string, StoredKey>()
  for (const [provider, value] of Object.entries(parsed.value)) {
    const stored = isRecord(value) ? storedKey(value) : null
    if (stored === null) return usage(`${path}: "${provider}" has no key with an origin. ${shape}`)
    keys.set(provider, stored)
  }
  return ok({ path, keys, warnings: modeWarning(path) })
}

function storedKey(value: Readonly<Record<string, unknown>>): StoredKey | null {
  const { key, origin } = value
  if (typeof key !== "string" || key === "" || typeof origin !== "string" || !URL.canParse(origin)) return null
  return { key, origin: new URL(origin).origin }
}

function modeWarning(path: string): readonly string[] {
  const mode = statSync(path).mode & 0o777
  // Windows keeps no such modes and reports 0666 for every file.
  if ((mode & 0o077) === 0 || path.includes("\\")) return []
  return [`gong: ${path} can be read by others (mode ${mode.toString(8)}). Close it: chmod 600 ${path}`]
}
