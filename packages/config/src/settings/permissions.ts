import { join } from "node:path"
import { isRecord, phrase } from "@gong/spec"
import { ok, usage, type Outcome } from "../usage.ts"
import { parseLenient, readText } from "./read.ts"
import { editFile } from "./edit-file.ts"

/** Rules from answers "always", by repository. */
export type StoredRules = ReadonlyMap<string, readonly string[]>

const file = "permissions.json"

/** Full path of the file of stored rules. */
export function permissionsFile(home: string): string {
  return join(home, file)
}

/** Stored in the user's home, never in a repository, which could allow itself anything. */
export async function readPermissions(home: string): Promise<Outcome<StoredRules>> {
  const path = permissionsFile(home)
  const text = readText(path)
  if (!text.ok) return text
  const parsed = await parseLenient(text.value ?? "{}", path)
  if (!parsed.ok) return parsed
  const stored = isRecord(parsed.value) ? Object.entries(parsed.value) : null
  if (stored === null || !stored.every(isRuleList)) {
    return usage(phrase`${path}: write {"FOLDER": ["bash(npm test)"]} or move the file away.`)
  }
  return ok(new Map(stored))
}

function isRuleList(entry: [string, unknown]): entry is [string, readonly string[]] {
  const [, rules] = entry
  return Array.isArray(rules) && rules.every((rule) => typeof rule === "string")
}

/**
 * Adds one rule (file 0600, atomic), safe for concurrent processes. An unreadable file is a usage error and stays unchanged.
 * Throws like Node if the home is not writable.
 */
export async function addPermission(home: string, repository: string, rule: string): Promise<Outcome<string>> {
  const read = await readPermissions(home)
  if (!read.ok) return read
  return editFile(home, file, (now) => [[[repository], [...new Set([...rulesIn(now, repository), rule])]]])
}

/** Removes one rule, and the repository with its last one; like `addPermission`. */
export async function removePermission(home: string, repository: string, rule: string): Promise<Outcome<string>> {
  const read = await readPermissions(home)
  if (!read.ok) return read
  return editFile(home, file, (now) => {
    const remaining = rulesIn(now, repository).filter((one) => one !== rule)
    return [[[repository], remaining.length === 0 ? undefined : remaining]]
  })
}

function rulesIn(file: unknown, repository: string): readonly unknown[] {
  const rules = isRecord(file) && Object.hasOwn(file, repository) ? file[repository] : []
  return Array.isArray(rules) ? rules : []
}
