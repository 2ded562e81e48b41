import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord, readJson } from "@gong/spec"
import { writePrivateFile, makeFolder } from "../home.ts"
import { locked } from "../lock.ts"
import { codeOf, ok, type Outcome, usage } from "../usage.ts"
import type { Translate } from "@gong/texts/translator"

/** The user's decision about a folder, and the folder's state then. */
export interface TrustDecision {
  readonly trusted: boolean
  /** SHA-256 by path, as in `Surface.files`. */
  readonly files: Readonly<Record<string, string>>
  /** The hash of a later state that the user refused: back at `files` it is trusted again, and this one is not asked about twice. */
  readonly refused?: string
}

/** By real path of the folder. */
export type TrustStore = ReadonlyMap<string, TrustDecision>

const file = "trust.json"

/** The user's `trust.json`; `problem`: one line about an unreadable file, without the program's name. */
export interface TrustFile {
  readonly store: TrustStore
  readonly problem: string | null
}

/** The stored decision. An unreadable file counts as none, which is safe. */
export function readTrust(t: Translate, home: string): TrustFile {
  const { value, problem } = parsed(t, join(home, file))
  return { store: storeOf(value), problem }
}

/**
 * Stores one decision, or with null removes it (file 0600, atomic), safe for concurrent processes. Returns the new decisions. An
 * unreadable file is a usage error and stays unchanged, or its decisions would be lost. Throws like Node if the home is not
 * writable.
 */
export function saveTrust(
  t: Translate,
  home: string,
  root: string,
  decision: TrustDecision | null,
): Outcome<TrustStore> {
  makeFolder(home)
  const done = locked(join(home, file), (): Outcome<TrustStore> => {
    const { value, problem } = parsed(t, join(home, file))
    if (problem !== null) return usage(problem)
    const { [root]: _, ...others } = value
    const all = decision === null ? others : { ...others, [root]: decision }
    writePrivateFile(home, file, `${JSON.stringify(all, null, 2)}\n`)
    return ok(storeOf(all))
  })
  return done.ok ? done.value : done
}

function storeOf(value: Readonly<Record<string, unknown>>): TrustStore {
  const store = new Map<string, TrustDecision>()
  for (const [root, one] of Object.entries(value)) {
    if (!isRecord(one) || typeof one["trusted"] !== "boolean" || !isRecord(one["files"])) continue
    const files = Object.entries(one["files"]).filter((pair): pair is [string, string] => typeof pair[1] === "string")
    const { refused } = one
    store.set(root, {
      trusted: one["trusted"],
      files: Object.fromEntries(files),
      ...(typeof refused === "string" ? { refused } : {}),
    })
  }
  return store
}

interface Parsed {
  readonly value: Readonly<Record<string, unknown>>
  readonly problem: string | null
}

function parsed(t: Translate, path: string): Parsed {
  const text = textOf(path)
  if (typeof text !== "string")
    return broken(t`cannot read ${path} (${text.code}). Fix its permissions or move it away.`)
  if (text.trim() === "") return { value: {}, problem: null }
  const read = readJson(text)
  if (!read.ok)
    return broken(
      t`${path}:${lineAndColumn(text, read.problem)}: this is not JSON. Fix it there or move the file away.`,
    )
  if (isRecord(read.value)) return { value: read.value, problem: null }
  return broken(t`${path}:1: this must be an object, {...}. Fix it or move it away.`)
}

/** Empty if missing. */
function textOf(path: string): string | { readonly code: string } {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    const code = codeOf(error)
    return code === "ENOENT" || code === "ENOTDIR" ? "" : { code }
  }
}

function broken(problem: string): Parsed {
  return { value: {}, problem }
}

/** `line:column`, both from 1; for truncated text its end. */
function lineAndColumn(text: string, problem: string): string {
  const named = /line (\d+) column (\d+)/.exec(problem)
  if (named) return `${named[1]}:${named[2]}`
  const lines = text.trimEnd().split("\n")
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`
}
