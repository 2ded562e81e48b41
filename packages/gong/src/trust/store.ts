import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "@gong/spec"
import { keepFile, makeFolder } from "../config/home.ts"
import { locked } from "../config/lock.ts"
import type { Outcome } from "../config/usage.ts"

/** What a person said about a folder, and how it looked then. */
export interface TrustDecision {
  readonly trusted: boolean
  /** SHA-256 by path, as in `Surface.files`. */
  readonly files: Readonly<Record<string, string>>
  /** The hash of a later surface that they said no to: back at `files` it acts again, and for this one nobody is asked twice. */
  readonly refused?: string
}

/** By real path of the folder. */
export type TrustStore = ReadonlyMap<string, TrustDecision>

const file = "trust.json"

/** The user's `trust.json`. A file that cannot be read counts as "nothing decided": the safe side. */
export function readTrust(home: string): TrustStore {
  const store = new Map<string, TrustDecision>()
  for (const [root, value] of Object.entries(parsed(join(home, file)))) {
    if (!isRecord(value) || typeof value["trusted"] !== "boolean" || !isRecord(value["files"])) continue
    const files = Object.entries(value["files"]).filter((pair): pair is [string, string] => typeof pair[1] === "string")
    const { refused } = value
    store.set(root, {
      trusted: value["trusted"],
      files: Object.fromEntries(files),
      ...(typeof refused === "string" ? { refused } : {}),
    })
  }
  return store
}

/**
 * Writes one decision, or with null forgets it (file 0600, whole or not at all); several processes lose nothing of one
 * another. Gives what is decided then. Throws like Node when the home cannot be written to.
 */
export function saveTrust(home: string, root: string, decision: TrustDecision | null): Outcome<TrustStore> {
  makeFolder(home)
  return locked(join(home, file), () => {
    const all = new Map(readTrust(home))
    if (decision === null) all.delete(root)
    else all.set(root, decision)
    keepFile(home, file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
    return all
  })
}

function parsed(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
