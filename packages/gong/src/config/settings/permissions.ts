import { join } from "node:path"
import { isRecord, phrase } from "@gong/spec"
import { ok, usage, type Outcome } from "../usage.ts"
import { parseLenient, readText } from "./read.ts"
import { editFile } from "./write.ts"

/** Texts of rules that were once answered with "always", by the repository that they hold in. */
export type KeptRules = ReadonlyMap<string, readonly string[]>

const file = "permissions.json"

/** What is kept in the user's home, never in a repository: who could write it there could allow anything. */
export async function readPermissions(home: string): Promise<Outcome<KeptRules>> {
  const path = join(home, file)
  const text = readText(path)
  if (!text.ok) return text
  const parsed = await parseLenient(text.value ?? "{}", path)
  if (!parsed.ok) return parsed
  const kept = isRecord(parsed.value) ? Object.entries(parsed.value) : null
  if (kept === null || !kept.every(isKept)) {
    return usage(phrase`${path}: write {"FOLDER": ["bash(npm test)"]} or move the file away.`)
  }
  return ok(new Map(kept))
}

function isKept(entry: [string, unknown]): entry is [string, readonly string[]] {
  const [, rules] = entry
  return Array.isArray(rules) && rules.every((rule) => typeof rule === "string")
}

/**
 * Adds one rule (file 0600, whole or not at all); several processes lose nothing of one another. A file that cannot be
 * read is a usage error and stays as it is. Throws like Node when the home cannot be written to.
 */
export async function keepPermission(home: string, repository: string, rule: string): Promise<Outcome<string>> {
  const read = await readPermissions(home)
  if (!read.ok) return read
  return editFile(home, file, (now) => [[[repository], [...new Set([...rulesIn(now, repository), rule])]]])
}

/** Takes one rule out, and the repository with its last one; as `keepPermission`. */
export async function removePermission(home: string, repository: string, rule: string): Promise<Outcome<string>> {
  const read = await readPermissions(home)
  if (!read.ok) return read
  return editFile(home, file, (now) => {
    const left = rulesIn(now, repository).filter((one) => one !== rule)
    return [[[repository], left.length === 0 ? undefined : left]]
  })
}

function rulesIn(file: unknown, repository: string): readonly unknown[] {
  const rules = isRecord(file) && Object.hasOwn(file, repository) ? file[repository] : []
  return Array.isArray(rules) ? rules : []
}
