import { maxWrappedDepth, parseJson } from "@gong/spec"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { apiVersion, maxSource, type Offers, type WorkerBegin } from "./protocol.ts"

/** What a set of extensions brought when it was loaded last, with all that this was seen to depend on. */
export interface Memory {
  /** Every file that was loaded: full path and content. */
  readonly files: readonly (readonly [path: string, text: string])[]
  /** Variables that were looked at meanwhile, with a digest of what they held; null: nothing. */
  readonly env: readonly (readonly [name: string, digest: string | null])[]
  readonly offers: readonly (readonly [extension: number, offers: Offers])[]
  /** Loads in a row that brought this; 0: with all of the above the same, two loads have brought different things. */
  readonly loads: number
}

/** As many loads must have brought the same before it counts without waiting for the next. */
export const enoughLoads = 2

export function memoryFile(folder: string, begin: WorkerBegin, node: string): string {
  return join(folder, `known-${setKey(begin, begin.extensions, node)}.json`)
}

type Given = Pick<WorkerBegin, "gong" | "cwd" | "workspace">

/** Names which extensions these are, where and how set, and for what: all that they are given. */
export function setKey({ gong, cwd, workspace }: Given, extensions: WorkerBegin["extensions"], node: string): string {
  const each = extensions.map(({ name, path, fence, settings }) => [name, path, fence?.folder ?? null, settings])
  return digestOf(JSON.stringify([gong, node, apiVersion, cwd, workspace, each]))
}

/** What these extensions are known to bring; null: load them. Nothing that has changed since passes; never fails. */
export function recall(file: string, env: Readonly<Record<string, string>>): ReadonlyMap<number, Offers> | null {
  const memory = readMemory(file)
  if (memory === null || memory.loads < enoughLoads) return null
  if (memory.env.some(([name, digest]) => (name in env ? digestOf(env[name] ?? "") : null) !== digest)) return null
  if (memory.files.some(([path, text]) => textOf(path) !== text)) return null
  return new Map(memory.offers)
}

/** Null where there is none that can be read. */
export function readMemory(file: string): Memory | null {
  const memory = readKept(file)
  return isMemory(memory) ? memory : null
}

/** What a file of the cache says; null where nothing can be read. */
export function readKept(file: string, most = maxMemory): unknown {
  const text = textOf(file, most)
  return text === null ? null : (parseJson(text, maxWrappedDepth) ?? null)
}

/** Characters of one memory; sets that would need more are loaded each time. */
export const maxMemory = 4_000_000

/** 64 bits by which different texts are told apart (FNV-1a, twice): nobody gains anything by making two alike. */
export function digestOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ unit, 0x5bd1e995) ^ (two >>> 15)
  }
  return (one >>> 0).toString(16).padStart(8, "0") + (two >>> 0).toString(16).padStart(8, "0")
}

/** Null where it cannot be read; a pipe in place of a file would be read for ever. */
export function textOf(path: string, most = maxSource): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() === true && stat.size <= most ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}

function isMemory(value: unknown): value is Memory {
  const { loads, files, env, offers } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof loads !== "number" || !isPairs(files) || !isPairs(env) || !isPairs(offers)) return false
  return offers.every(([, one]) => isOffers(one))
}

function isPairs(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)
}

function isOffers(value: unknown): boolean {
  const offers = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    ["tools", "commands", "hooks", "providers", "renderers", "events"].every((kind) => Array.isArray(offers[kind])) &&
    "resources" in offers
  )
}
