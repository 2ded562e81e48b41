import { maxWrappedDepth, parseJson } from "@gong/spec"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { apiVersion, maxSource, type Registrations, type WorkerBegin } from "../protocol.ts"

/** What a set of extensions registered at its last load, with all observed dependencies. */
export interface StoredLoad {
  /** Every loaded file: full path and content. */
  readonly files: readonly (readonly [path: string, text: string])[]
  /** Environment variables that were read, with a digest of their value; null if unset. */
  readonly env: readonly (readonly [name: string, digest: string | null])[]
  readonly registrations: readonly (readonly [extension: number, registrations: Registrations])[]
  /** Number of consecutive loads with this result; 0: two loads with the same dependencies had different results. */
  readonly loads: number
}

/** Number of equal loads after which the result is trusted before the next load. */
export const requiredLoads = 2

export function memoryFile(folder: string, begin: WorkerBegin, node: string): string {
  return join(folder, `known-${setKey(begin, begin.extensions, node)}.json`)
}

type SessionFolders = Pick<WorkerBegin, "gong" | "cwd" | "workspace">

/** A key for these extensions, their versions, paths and settings. */
export function setKey(
  { gong, cwd, workspace }: SessionFolders,
  extensions: WorkerBegin["extensions"],
  node: string,
): string {
  const each = extensions.map(({ name, path, boundary, settings }) => [name, path, boundary?.folder ?? null, settings])
  return digestOf(JSON.stringify([gong, node, apiVersion, cwd, workspace, each]))
}

/**
 * The known registrations of these extensions; null: load them. Any changed dependency invalidates them. Never fails.
 */
export function recallRegistrations(
  file: string,
  env: Readonly<Record<string, string>>,
): ReadonlyMap<number, Registrations> | null {
  const memory = readMemory(file)
  if (memory === null || memory.loads < requiredLoads) return null
  if (memory.env.some(([name, digest]) => (name in env ? digestOf(env[name] ?? "") : null) !== digest)) return null
  if (memory.files.some(([path, text]) => textOf(path) !== text)) return null
  return new Map(memory.registrations)
}

/** Null if it cannot be read. */
export function readMemory(file: string): StoredLoad | null {
  const memory = readCacheFile(file)
  return isMemory(memory) ? memory : null
}

/** The content of a cache file; null if it cannot be read. */
export function readCacheFile(file: string, most = maxMemory): unknown {
  const text = textOf(file, most)
  return text === null ? null : (parseJson(text, maxWrappedDepth) ?? null)
}

/** Maximum characters of one record; larger sets are loaded each time. */
export const maxMemory = 4_000_000

/** A 64-bit digest (FNV-1a, twice). Not collision resistant against attackers, who would gain nothing. */
export function digestOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ unit, 0x5bd1e995) ^ (two >>> 15)
  }
  return (one >>> 0).toString(16).padStart(8, "0") + (two >>> 0).toString(16).padStart(8, "0")
}

/** Null if it cannot be read. Only regular files, since a pipe would block forever. */
export function textOf(path: string, most = maxSource): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() === true && stat.size <= most ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}

function isMemory(value: unknown): value is StoredLoad {
  const { loads, files, env, registrations } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof loads !== "number" || !isPairs(files) || !isPairs(env) || !isPairs(registrations)) return false
  return registrations.every(([, one]) => isRegistrations(one))
}

function isPairs(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)
}

function isRegistrations(value: unknown): boolean {
  const registrations = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    ["tools", "commands", "hooks", "providers", "renderers", "events"].every((kind) =>
      Array.isArray(registrations[kind]),
    ) && "resources" in registrations
  )
}
