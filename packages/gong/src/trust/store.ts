import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "@gong/spec"
import { keepFile } from "../config/home.ts"

/** What a person said about a folder, and how it looked then. */
export interface TrustDecision {
  readonly trusted: boolean
  /** SHA-256 by path, as in `Surface.files`. */
  readonly files: Readonly<Record<string, string>>
}

/** By real path of the folder. */
export type TrustStore = ReadonlyMap<string, TrustDecision>

/** The user's `trust.json`. A file that cannot be read counts as "nothing decided": the safe side. */
export function readTrust(home: string): TrustStore {
  const store = new Map<string, TrustDecision>()
  for (const [root, value] of Object.entries(parsed(join(home, "trust.json")))) {
    if (!isRecord(value) || typeof value["trusted"] !== "boolean" || !isRecord(value["files"])) continue
    const files = Object.entries(value["files"]).filter((pair): pair is [string, string] => typeof pair[1] === "string")
    store.set(root, { trusted: value["trusted"], files: Object.fromEntries(files) })
  }
  return store
}

/** Writes one decision (file 0600, whole or not at all); throws like Node when the home cannot be written to. */
export function saveTrust(home: string, root: string, decision: TrustDecision): void {
  const all = Object.fromEntries(new Map(readTrust(home)).set(root, decision))
  keepFile(home, "trust.json", `${JSON.stringify(all, null, 2)}\n`)
}

function parsed(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
