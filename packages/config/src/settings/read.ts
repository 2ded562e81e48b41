import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import {
  isRecord,
  readJson,
  tooDeep,
  tooDeepAt,
  phrase,
  type Text,
  type Trusted,
  jsonProblem,
  ownFolder,
} from "@gong/spec"
import { codeOf, didYouMean, ok, usage, type Outcome } from "../usage.ts"
import { isSettingName, settingNames, settingOf, type SettingName } from "./schema.ts"
import { fromJson, type SettingValue } from "./value.ts"

export interface SettingsFile {
  readonly path: string
  readonly values: ReadonlyMap<SettingName, SettingValue>
  /** Complete lines for the user: unknown names, and settings that a project may not set. */
  readonly warnings: readonly Text[]
  /** Its raw `hooks`; null for none. */
  readonly hooks: HookFile | null
  /** Values under `extensions`, by name, which extensions validate themselves. */
  readonly extensions: Readonly<Record<string, unknown>>
}

/** Unvalidated hooks in the format of Claude Code (docs/hooks.md). */
export interface HookFile {
  readonly path: string
  readonly hooks: unknown
  /** `file:line` of a value inside `hooks`. */
  locationOf(path: readonly (string | number)[]): Promise<string>
}

/** The user's `settings.json`; null if missing. Comments and trailing commas are allowed. */
export async function readUserSettings(home: string): Promise<Outcome<SettingsFile | null>> {
  const path = join(home, "settings.json")
  const text = readText(path)
  return text.ok ? read(path, text.value, false) : text
}

/** The project's `.gong/settings.json`. Only a trusted folder has one, and settings that affect the user's safety are refused. */
export async function readProjectSettings(trusted: Trusted): Promise<Outcome<SettingsFile | null>> {
  const path = join(trusted.root, ownFolder, "settings.json")
  const text = await trustedText(trusted, `${ownFolder}/settings.json`)
  if (text.ok) return read(path, text.value, true)
  return ok({ path, values: new Map(), warnings: text.error.texts, hooks: null, extensions: {} })
}

async function read(path: string, text: string | null, project: boolean): Promise<Outcome<SettingsFile | null>> {
  if (text === null) return ok(null)
  const parsed = await parseLenient(text, path)
  if (!parsed.ok) return parsed
  if (!isRecord(parsed.value))
    return usage(phrase`${path}:1: the settings must be an object, {...}. Fix it or move the file away.`)
  // `$schema` is for editors.
  const { hooks, extensions = {}, $schema: _, ...rest } = parsed.value
  if (!isRecord(extensions))
    return usage(
      phrase`${await locationOf({ path, text }, ["extensions"])}: "extensions" must be an object, {"NAME": {...}}.`,
    )
  const checked = await checkSettings(flatten(rest), { path, text, project })
  return checked.ok ? ok({ ...checked.value, extensions, hooks: hookFile(path, text, hooks) }) : checked
}

export function hookFile(path: string, text: string, hooks: unknown): HookFile | null {
  if (hooks === undefined) return null
  return { path, hooks, locationOf: (inside) => locationOf({ path, text }, ["hooks", ...inside]) }
}

/** Maximum bytes of a settings file. */
const maxBytes = 1_048_576

/** The text of a user's file; null if missing. FIFOs and devices are refused, since they could block forever. */
export function readText(path: string): Outcome<string | null> {
  try {
    // Usually it is missing, and a thrown error costs ten times the check.
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return ok(null)
    if (!stat.isFile()) return usage(phrase`${path} is not a regular file. Replace it by a text file or move it away.`)
    if (stat.size > maxBytes) return tooLong(path, stat.size)
    return ok(readFileSync(path, "utf8").replace(/^\uFEFF/, ""))
  } catch (error) {
    const code = codeOf(error)
    if (code === "ENOENT" || code === "ENOTDIR") return ok(null)
    return usage(phrase`cannot read ${path} (${code}). Fix its permissions or move it away.`)
  }
}

/** The text of a trusted folder's file; null if missing. */
export async function trustedText(trusted: Trusted, path: string): Promise<Outcome<string | null>> {
  const found = await trusted.read(path)
  if (!found.ok) return usage(phrase`${join(trusted.root, path)} ${found.problem}; it is skipped.`)
  const { text } = found
  if (text === null) return ok(null)
  return text.length > maxBytes ? tooLong(join(trusted.root, path), text.length) : ok(text.replace(/^\uFEFF/, ""))
}

function tooLong(path: string, size: number): Outcome<never> {
  return usage(phrase`${path} has ${size} bytes; the maximum is ${maxBytes}.`)
}

/** JSON, with comments and trailing commas. An error is one line with file, line and column. */
export async function parseLenient(text: string, path: string): Promise<Outcome<unknown>> {
  if (text.trim() === "") return ok({})
  const read = readJson(text)
  if (read.ok) return ok(read.value)
  const wrong = (offset: number, what: Text): Outcome<never> =>
    usage(phrase`${path}:${lineAndColumn(text, offset)}: ${what}. Fix it there or move the file away.`)
  const deep = tooDeepAt(text)
  if (deep !== null) return wrong(deep, tooDeep())
  const { parse, printParseErrorCode } = await import("jsonc-parser")
  const errors: Parameters<typeof parse>[1] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  return first === undefined ? ok(value) : wrong(first.offset, jsonProblem(printParseErrorCode(first.error)))
}

/** `line:column`, both from 1. */
function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n")
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`
}

/** One value of a file, and its path of keys. */
export interface Flat {
  readonly path: readonly string[]
  readonly value: unknown
}

/** `{"bash": {"timeout": 5}}` and `{"bash.timeout": 5}` are equivalent; a path ends at a setting's name. */
export function flatten(value: Readonly<Record<string, unknown>>, above: readonly string[] = []): readonly Flat[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const path = [...above, key]
    const group = settingNames.some((name) => name.startsWith(`${path.join(".")}.`))
    return group && isRecord(item) ? flatten(item, path) : [{ path, value: item }]
  })
}

interface FileText {
  readonly path: string
  readonly text: string
  readonly project: boolean
}

async function checkSettings(
  found: readonly Flat[],
  file: FileText,
): Promise<Outcome<Pick<SettingsFile, "path" | "values" | "warnings">>> {
  const values = new Map<SettingName, SettingValue>()
  const warnings: Text[] = []
  for (const { path, value } of found) {
    const name = path.join(".")
    const problem = problemOf(name, file.project)
    if (problem !== null) {
      warnings.push(phrase`gong: ${await locationOf(file, path)}: ${problem}`)
      continue
    }
    if (!isSettingName(name)) continue
    const checked = fromJson(settingOf(name), value)
    if (!checked.ok) return usage(phrase`${await locationOf(file, path)}: "${name}" ${checked.problem}`)
    values.set(name, checked.value)
  }
  return ok({ path: file.path, values, warnings })
}

/** The message about an ignored name; null for a valid one. */
function problemOf(name: string, project: boolean): Text | null {
  if (/key|token|secret/i.test(name) && !isSettingName(name)) {
    return phrase`"${name}" is ignored: keys belong in the environment or in auth.json.`
  }
  if (!isSettingName(name)) return phrase`unknown setting "${name}" is ignored.${didYouMean(name, settingNames)}`
  if (project && settingOf(name).userOnly === true) return phrase`"${name}" is ignored: a project cannot set it.`
  return null
}

/** `file:line` of a key; the file alone if it is not found. */
export async function locationOf(
  file: Pick<FileText, "path" | "text">,
  path: readonly (string | number)[],
): Promise<string> {
  return (await locations(file))(path)
}

/** The same for many values of one file. */
export async function locations(
  file: Pick<FileText, "path" | "text">,
): Promise<(path: readonly (string | number)[]) => Promise<string>> {
  const { findNodeAtLocation, parseTree } = await import("jsonc-parser")
  let root: ReturnType<typeof parseTree> | null = null
  return (path) => {
    root ??= parseTree(file.text)
    const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
    // A value is located by its key; an element of a list has none.
    const offset = node?.parent?.type === "property" ? node.parent.offset : node?.offset
    return Promise.resolve(
      offset === undefined ? file.path : `${file.path}:${lineAndColumn(file.text, offset).split(":")[0]}`,
    )
  }
}
