import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "@gong/spec"
import { keepFile } from "../home.ts"
import { ok, usage, type Outcome } from "../usage.ts"
import { parseLenient, readText } from "./read.ts"

/** Rules that the user once answered with "always", as texts; kept per repository in the user's home, never in the repository. */
export async function readPermissions(home: string, repository: string): Promise<Outcome<readonly string[]>> {
  const path = join(home, "permissions.json")
  const text = readText(path)
  if (!text.ok) return text
  const parsed = await parseLenient(text.value ?? "", path)
  if (!parsed.ok) return parsed
  const shape = `${path}: write {"FOLDER": ["bash(npm test)"]} or move the file away.`
  if (!isRecord(parsed.value)) return usage(shape)
  const rules = Object.hasOwn(parsed.value, repository) ? parsed.value[repository] : []
  if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === "string")) return usage(shape)
  return ok(rules)
}

/** Adds one rule (file 0600, whole or not at all); throws like Node when the home cannot be written to. */
export function savePermission(home: string, repository: string, rule: string): void {
  const all = new Map(Object.entries(current(join(home, "permissions.json"))))
  const rules = all.get(repository)
  all.set(repository, [...new Set([...(Array.isArray(rules) ? rules : []), rule])])
  keepFile(home, "permissions.json", `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
}

function current(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"))
    return isRecord(value) ? value : {}
  } catch (error) {
    // A file with comments was read by a more patient parser: it is not thrown away for a new rule.
    if (error instanceof SyntaxError) throw error
    return {}
  }
}
