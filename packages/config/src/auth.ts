import { statSync } from "node:fs"
import { join } from "node:path"
import { isRecord, phrase, type Text } from "@gong/spec"
import { parseLenient, readText } from "./settings/read.ts"
import { editFile } from "./settings/edit-file.ts"
import { ok, usage, type Outcome } from "./usage.ts"

/** A stored key, or the command that prints it; used for this origin only. */
export type StoredKey = {
  /** Scheme, host and port, as `https://api.anthropic.com`. */
  readonly origin: string
} & ({ readonly key: string } | { readonly apiKeyCommand: readonly string[] })

export interface AuthFile {
  readonly path: string
  /** By provider, at most one per origin. */
  readonly keys: ReadonlyMap<string, readonly StoredKey[]>
  /** Complete lines for the user. */
  readonly warnings: readonly Text[]
}

/** The key of logins at MCP servers, which is no name of a provider. */
export const mcpSection = "mcp"

const shape =
  'Write {"PROVIDER": {"key": "...", "origin": "https://..."}}, or "apiKeyCommand": ["PROGRAM", "ARGUMENT"] in place of the key, or move the file away.'

/** Reads the user's `auth.json`, `{"provider": {"key": "...", "origin": "https://..."}}`, or a list of such; no keys if it is missing. */
export async function readAuth(home: string): Promise<Outcome<AuthFile>> {
  const path = join(home, "auth.json")
  const text = readText(path)
  if (!text.ok) return text
  if (text.value === null) return ok({ path, keys: new Map(), warnings: [] })
  const parsed = await parseLenient(text.value, path)
  if (!parsed.ok) return parsed
  if (!isRecord(parsed.value)) return usage(phrase`${path}:1: the keys must be an object. ${shape}`)
  const keys = new Map<string, readonly StoredKey[]>()
  for (const [provider, value] of Object.entries(parsed.value)) {
    if (provider === mcpSection) continue
    const stored = listOf(value).map(storedKey)
    const valid = stored.filter((one) => one !== null)
    if (valid.length === 0 || valid.length < stored.length)
      return usage(phrase`${path}: "${provider}" has no key with an origin. ${shape}`)
    keys.set(provider, valid)
  }
  return ok({ path, keys, warnings: modeWarning(path) })
}

/** Stores a key, replacing that of the same provider and origin. Throws like Node if the home is not writable. */
export async function storeKey(home: string, provider: string, stored: StoredKey): Promise<Outcome<null>> {
  const done = await editFile(home, "auth.json", (now) => {
    const others = entriesOf(now, provider).filter((entry) => storedKey(entry)?.origin !== stored.origin)
    return [[[provider], others.length === 0 ? stored : [...others, stored]]]
  })
  // The content of the file is not returned.
  return done.ok ? ok(null) : done
}

/** Removes a provider's keys, or only that of an origin. Throws like Node if the home is not writable. */
export async function removeKeys(home: string, provider: string, origin: string | null): Promise<Outcome<null>> {
  const done = await editFile(home, "auth.json", (now) => {
    const remaining = entriesOf(now, provider).filter((entry) => origin !== null && storedKey(entry)?.origin !== origin)
    return [[[provider], remaining.length === 0 ? undefined : remaining.length === 1 ? remaining[0] : remaining]]
  })
  return done.ok ? ok(null) : done
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function entriesOf(file: unknown, provider: string): readonly unknown[] {
  return isRecord(file) && Object.hasOwn(file, provider) ? listOf(file[provider]) : []
}

function storedKey(value: unknown): StoredKey | null {
  if (!isRecord(value)) return null
  const { key, apiKeyCommand, origin } = value
  if (typeof origin !== "string" || !URL.canParse(origin)) return null
  const at = { origin: new URL(origin).origin }
  if (typeof key === "string" && key !== "" && apiKeyCommand === undefined) return { ...at, key }
  return isCommand(apiKeyCommand) && key === undefined ? { ...at, apiKeyCommand } : null
}

function isCommand(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string") && Boolean(value[0])
}

function modeWarning(path: string): readonly Text[] {
  const mode = statSync(path).mode & 0o777
  // Windows has no such modes and reports 0666 for every file.
  if ((mode & 0o077) === 0 || path.includes("\\")) return []
  return [phrase`gong: ${path} can be read by others (mode ${mode.toString(8)}). Restrict it: chmod 600 ${path}`]
}
