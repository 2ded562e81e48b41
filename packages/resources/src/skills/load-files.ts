import { type HostFiles, type HostLook, phrase, type Diagnostic } from "@gong/spec"
import { basename, join, relative } from "node:path"
import type { Ignore } from "ignore"

/** Host access of loaders. */
export type ResourceHost = Pick<HostFiles, "look" | "readFiles" | "list">

export interface FoundFile {
  readonly path: string
  /** The path with all links resolved. */
  readonly real: string
}

export interface FoundFiles {
  /** Full paths, sorted by name. */
  readonly files: readonly FoundFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Maximum number of folders and depth per location, and of files. */
const limits = { folders: 1_000, depth: 8, files: 500, ignoreBytes: 65_536 }
const ignoreFiles = [".gitignore", ".ignore", ".fdignore"]

/**
 * The skill files below a folder: every `.md` directly in it except a README, and below only each `SKILL.md` (contract section
 * 20). A folder with a `SKILL.md` is one skill with its material. `within`: the real path that links must not leave.
 */
export async function findSkillFiles(
  host: ResourceHost,
  folder: string,
  within: string | null = null,
): Promise<FoundFiles> {
  const search: Search = { host, within, files: [], diagnostics: [], seen: new Set(), folders: 0, cut: false }
  const [top] = await host.look([folder])
  if (top?.ok === true) await visit(search, { path: folder, real: top.value.real }, 0, [])
  if (search.cut) {
    const text = phrase`more than ${limits.files} skills or ${limits.folders} folders, or deeper than ${limits.depth}; the rest is left out. Point to smaller folders.`
    search.diagnostics.push({ type: "error", path: folder, line: 1, text })
  }
  return search
}

/** The `.md` files directly in a folder. */
export async function markdownIn(host: ResourceHost, folder: string): Promise<readonly string[]> {
  const names = (await namesIn(host, folder))?.filter((name) => isMarkdown(name) && !name.startsWith(".")) ?? []
  return names.slice(0, limits.files).map((name) => join(folder, name))
}

interface Search {
  readonly host: ResourceHost
  readonly within: string | null
  readonly files: FoundFile[]
  readonly diagnostics: Diagnostic[]
  /** Real paths of visited folders, for link cycles. */
  readonly seen: Set<string>
  folders: number
  cut: boolean
}

interface Rules {
  readonly folder: string
  readonly rules: Ignore
}

async function visit(search: Search, folder: FoundFile, depth: number, parentRules: readonly Rules[]): Promise<void> {
  const names = await namesIn(search.host, folder.path)
  if (names === null || !mayEnter(search, folder, depth)) return
  const looked = await existingFiles(search.host, folder.path, names)
  const rules = [...parentRules, ...(await rulesOf(search.host, folder.path, looked))]
  const skill = looked.get("SKILL.md")
  if (skill !== undefined && !ignored(rules, join(folder.path, "SKILL.md"))) {
    addFile(search, { path: join(folder.path, "SKILL.md"), real: skill.real })
    return
  }
  for (const [name, { stat, real }] of looked) {
    const path = join(folder.path, name)
    const isFolder = stat.kind === "directory"
    if (name.startsWith(".") || name === "node_modules" || ignored(rules, isFolder ? `${path}/` : path)) continue
    if (isFolder) await visit(search, { path, real }, depth + 1, rules)
    else if (depth === 0 && isMarkdown(name) && !isReadme(name)) addFile(search, { path, real })
  }
}

/** The existing files, in order. */
async function existingFiles(
  host: ResourceHost,
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, HostLook>> {
  const looked = await host.look(names.map((name) => join(folder, name)))
  return new Map(names.flatMap((name, at) => (looked[at]?.ok === true ? [[name, looked[at].value] as const] : [])))
}

function mayEnter(search: Search, { path, real }: FoundFile, depth: number): boolean {
  if (search.seen.has(real) || escapes(search, path, real)) return false
  if (depth > limits.depth || search.folders >= limits.folders) {
    search.cut = true
    return false
  }
  search.seen.add(real)
  search.folders += 1
  return true
}

function addFile(search: Search, file: FoundFile): void {
  if (escapes(search, file.path, file.real)) return
  if (search.files.length >= limits.files) search.cut = true
  else search.files.push(file)
}

/** A link in a repository could reveal a private file of the user to the model. */
function escapes({ within, diagnostics }: Search, path: string, real: string): boolean {
  if (within === null || real === within || real.startsWith(`${within}/`)) return false
  const text = phrase`this link leads out of ${within} and is not followed. Put the files there.`
  diagnostics.push({ type: "error", path, line: 1, text })
  return true
}

async function rulesOf(
  host: ResourceHost,
  folder: string,
  looked: ReadonlyMap<string, HostLook>,
): Promise<readonly Rules[]> {
  const existing = ignoreFiles.filter((name) => looked.has(name))
  if (existing.length === 0) return []
  const { default: ignore } = await import("ignore")
  const rules = ignore()
  const paths = existing.map((name) => join(folder, name))
  for (const read of await host.readFiles(paths, { maxBytes: limits.ignoreBytes }))
    if (read.ok && read.value.stat.size <= limits.ignoreBytes) rules.add(new TextDecoder().decode(read.value.bytes))
  return [{ folder, rules }]
}

function ignored(rules: readonly Rules[], path: string): boolean {
  const directory = path.endsWith("/") ? "/" : ""
  return rules.some((one) => one.rules.ignores(`${relative(one.folder, path)}${directory}`))
}

function isMarkdown(name: string): boolean {
  return /\.md$/i.test(name) && basename(name).length > 3
}

/** A file for readers of the folder, in any language: `README.zh-CN.md`. */
function isReadme(name: string): boolean {
  return /^readme(\.[^.]+)?\.md$/i.test(name)
}

/** Sorted; null for an unreadable folder. */
async function namesIn(host: ResourceHost, folder: string): Promise<readonly string[] | null> {
  const [listed] = await host.list([folder])
  return listed?.ok === true ? listed.value.map(({ name }) => name).toSorted() : null
}

export interface FoundKind {
  /** Null for anything else, or nothing. */
  readonly kind: "file" | "folder" | null
  /** Null if missing. */
  readonly real: string | null
}

/** One per path, in order. */
export async function kindsOf(host: ResourceHost, paths: readonly string[]): Promise<readonly FoundKind[]> {
  return (await host.look(paths)).map((looked) => {
    if (!looked.ok) return { kind: null, real: null }
    const { stat, real } = looked.value
    return { kind: stat.kind === "directory" ? "folder" : stat.kind === "file" ? "file" : null, real }
  })
}
