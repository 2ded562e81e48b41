import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { isRecord, parseJson, phrase, type Text } from "@gong/spec"
import { parseLenient, locations } from "@gong/config/settings/read"
import { codeOf } from "@gong/config/usage"
import { type Area, type Candidates, type JsonObject, recordOf } from "./candidate.ts"
import { tomlLines } from "./codex/toml-lines.ts"

/** Files of another agent. A problem with one of them is reported. */
export interface Source {
  /** The text of a regular file; null if it is missing, or if a problem was reported. */
  text(area: Area, path: string): string | null
  /** Like `text`, parsed as JSON with comments. */
  json(area: Area, path: string, most?: number): Promise<ConfigFile | null>
  /** Like `text`, parsed as TOML. */
  toml(area: Area, path: string): Promise<ConfigFile | null>
  /** Regular files below a folder with this ending, as sorted relative paths. Links out of it are reported. */
  files(area: Area, folder: string, ending: string): readonly string[]
  /** The subfolders of a folder, sorted. */
  folders(folder: string): readonly string[]
  exists(path: string): boolean
}

export interface ConfigFile {
  readonly path: string
  readonly value: JsonObject
  readonly locationOf: SourceLocation
}

/** `file:line` of a value; the line of its parent if it has none, otherwise the file alone. */
export type SourceLocation = (keys: readonly (string | number)[]) => Promise<string>

/** Maximum bytes of a configuration file, and of the state file of Claude Code. */
const maxBytes = 1_048_576
export const maxStateBytes = 33_554_432
/** Maximum files per folder, and the maximum depth. */
const maxFiles = 500
const maxDepth = 4

/** `within`: real paths of folders that links must not leave. */
export function openSource(within: readonly string[], { skip }: Candidates): Source {
  const textOf = (area: Area, path: string, most: number): string | null => {
    const read = readInside(within, path, most)
    if (read === null) return null
    if (!read.ok) skip(area, path, phrase`the file`, read.problem)
    return read.ok ? read.text : null
  }
  return {
    text: (area, path) => textOf(area, path, maxBytes),
    async json(area, path, most = maxBytes) {
      const text = textOf(area, path, most)
      if (text === null) return null
      const parsed = await parseLenient(text, path)
      if (!parsed.ok) {
        skip(area, path, phrase`the file`, parsed.error.lines.join(" ").replace(`gong: ${path}:`, "line "))
        return null
      }
      const { value } = parsed
      if (!isRecord(value)) skip(area, path, phrase`the file`, phrase`it must be an object, {...}.`)
      return isRecord(value) ? { path, value, locationOf: await locations({ path, text }) } : null
    },
    async toml(area, path) {
      const text = textOf(area, path, maxBytes)
      const value =
        text === null ? null : await parseToml(text, (problem) => skip(area, path, phrase`the file`, problem))
      return text === null || value === null ? null : { path, value, locationOf: tomlLocations(path, text) }
    },
    files: (area, folder, ending) => filesIn(area, folder, ending, within, skip),
    folders: (folder) => foldersIn(folder),
    exists: (path) => statOf(path) !== null,
  }
}

type ReadText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Text } | null

function readInside(within: readonly string[], path: string, most: number): ReadText {
  const stat = statOf(path)
  if (stat === null) return null
  // A pipe or a device would block forever.
  if (!stat.isFile()) return { ok: false, problem: phrase`it is not a regular file.` }
  if (!isInside(within, path)) return { ok: false, problem: phrase`it is a link to another folder; not followed.` }
  if (stat.size > most) return { ok: false, problem: phrase`it has ${stat.size} bytes; the maximum is ${most}.` }
  try {
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "")
    return text.includes("\0") ? { ok: false, problem: phrase`it is not text.` } : { ok: true, text }
  } catch (error) {
    return { ok: false, problem: phrase`it cannot be read (${codeOf(error)}).` }
  }
}

/** Whether the real path is inside one of these folders. */
export function isInside(within: readonly string[], path: string): boolean {
  try {
    const real = realpathSync(path)
    return within.some((folder) => real === folder || real.startsWith(`${folder}/`))
  } catch {
    return false
  }
}

async function parseToml(text: string, onProblem: (problem: string) => void): Promise<JsonObject | null> {
  const { parse } = await import("smol-toml")
  try {
    // TOML tables have no prototype, and would differ from the same ones parsed from JSON.
    return recordOf(parseJson(JSON.stringify(parse(text, { maxDepth: 50 }))))
  } catch (error) {
    // The parser's message continues with a code frame.
    const message = error instanceof Error ? error.message.split("\n", 1)[0] : "unreadable"
    const line = error instanceof Error && "line" in error ? `line ${String(error.line)}: ` : ""
    onProblem(`${line}${message}.`)
    return null
  }
}

function tomlLocations(path: string, text: string): SourceLocation {
  const lineOf = tomlLines(text)
  return (keys) => {
    const line = lineOf(keys)
    return Promise.resolve(line === null ? path : `${path}:${line}`)
  }
}

function filesIn(
  area: Area,
  folder: string,
  ending: string,
  within: readonly string[],
  skip: Candidates["skip"],
): readonly string[] {
  const files: string[] = []
  let cut = false
  const visit = (inside: string, depth: number): void => {
    for (const name of namesIn(join(folder, inside))) {
      const path = inside === "" ? name : `${inside}/${name}`
      const stat = statOf(join(folder, path))
      if (name.startsWith(".") || stat === null) continue
      if (!isInside(within, join(folder, path)))
        skip(area, join(folder, path), phrase`the file`, phrase`it is a link to another folder; not followed.`)
      else if (stat.isDirectory() && depth < maxDepth) visit(path, depth + 1)
      else if (stat.isDirectory()) cut = true
      else if (name.endsWith(ending) && files.length < maxFiles) files.push(path)
      else cut ||= name.endsWith(ending)
    }
  }
  visit("", 0)
  if (cut)
    skip(area, folder, phrase`the rest`, phrase`more than ${maxFiles} files, or deeper than ${maxDepth} folders.`)
  return files
}

function foldersIn(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => !name.startsWith(".") && name !== "node_modules")
  return names.filter((name) => statOf(join(folder, name))?.isDirectory() === true).slice(0, maxFiles)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
