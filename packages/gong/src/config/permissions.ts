import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "@gong/spec"

/** Rules that were once answered with "always", kept by repository in the user's own folder, never in the repository. */
export interface Permissions {
  readonly rules: readonly string[]
  /** Keeps one more; throws like Node when the home cannot be written to. */
  save(rule: string): void
}

/** The user's `permissions.json` for one repository (real path). A file that cannot be read counts as "nothing allowed". */
export function readPermissions(home: string, repository: string): Permissions {
  const file = join(home, "permissions.json")
  const rulesOf = (all: Readonly<Record<string, unknown>>): readonly string[] => {
    const rules = Object.hasOwn(all, repository) ? all[repository] : []
    return Array.isArray(rules) ? rules.filter((rule): rule is string => typeof rule === "string") : []
  }
  return {
    rules: rulesOf(parsed(file)),
    save(rule) {
      // Read again: another Gong may have kept a rule meanwhile.
      const all = parsed(file)
      const rules = [...new Set([...rulesOf(all), rule])]
      mkdirSync(home, { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.tmp`, `${JSON.stringify({ ...all, [repository]: rules }, null, 2)}\n`, { mode: 0o600 })
      renameSync(`${file}.tmp`, file)
    },
  }
}

function parsed(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
