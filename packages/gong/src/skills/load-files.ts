import { phrase } from "@gong/spec"
import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs"
import { basename, join, relative } from "node:path"
import type { Ignore } from "ignore"
import type { Diagnostic } from "../diagnostic.ts"

export interface FoundFiles {
  /** Full paths, in the order of names. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Folders that are looked into for one place, how deep, and files that are taken from it. */
const limits = { folders: 1_000, depth: 8, files: 500, ignoreBytes: 65_536 }
const ignoreFiles = [".gitignore", ".ignore", ".fdignore"]

/**
 * The files of skills below a folder: every `.md` in it but a README, and below only each `SKILL.md` (contract section 20). A folder with
 * a `SKILL.md` is that skill; what else lies in it is its material. `within`: the real path that links must not lead out of.
 */
export async function findSkillFiles(folder: string, within: string | null = null): Promise<FoundFiles> {
  const search: Search = { within, files: [], diagnostics: [], seen: new Set(), folders: 0, cut: false }
  await visit(search, folder, 0, [])
  if (search.cut) {
    const text = phrase`more than ${limits.files} skills or ${limits.folders} folders, or deeper than ${limits.depth}; the rest is left out. Point to smaller folders.`
    search.diagnostics.push({ type: "error", path: folder, line: 1, text })
  }
  return search
}

/** The `.md` files in a folder; nothing below it. */
export function markdownIn(folder: string): readonly string[] {
  const names = entriesOf(folder)?.filter((name) => isMarkdown(name) && !name.startsWith(".")) ?? []
  return names.slice(0, limits.files).map((name) => join(folder, name))
}

interface Search {
  readonly within: string | null
  readonly files: string[]
  readonly diagnostics: Diagnostic[]
  /** Real paths of folders: links that lead back end here. */
  readonly seen: Set<string>
  folders: number
  cut: boolean
}

interface Rules {
  readonly folder: string
  readonly rules: Ignore
}

async function visit(search: Search, folder: string, depth: number, above: readonly Rules[]): Promise<void> {
  const names = entriesOf(folder)
  if (names === null || !enters(search, folder, depth)) return
  const rules = [...above, ...(await rulesOf(folder, names))]
  if (names.includes("SKILL.md") && !ignored(rules, join(folder, "SKILL.md"))) {
    take(search, join(folder, "SKILL.md"))
    return
  }
  for (const name of names) {
    const path = join(folder, name)
    if (name.startsWith(".") || name === "node_modules") continue
    const stat = statOf(path)
    if (stat === null || ignored(rules, stat.isDirectory() ? `${path}/` : path)) continue
    if (stat.isDirectory()) await visit(search, path, depth + 1, rules)
    else if (depth === 0 && isMarkdown(name) && !isReadme(name)) take(search, path)
  }
}

function enters(search: Search, folder: string, depth: number): boolean {
  const real = realPath(folder)
  if (real === null || search.seen.has(real)) return false
  if (leadsOut(search, folder, real)) return false
  if (depth > limits.depth || search.folders >= limits.folders) {
    search.cut = true
    return false
  }
  search.seen.add(real)
  search.folders += 1
  return true
}

function take(search: Search, path: string): void {
  const real = realPath(path)
  if (real === null || leadsOut(search, path, real)) return
  if (search.files.length >= limits.files) search.cut = true
  else search.files.push(path)
}

/** A link in a repository could show the model a file of the user's that is none of the repository's business. */
function leadsOut({ within, diagnostics }: Search, path: string, real: string): boolean {
  if (within === null || real === within || real.startsWith(`${within}/`)) return false
  const text = phrase`this link leads out of ${within} and is not followed. Put the files there.`
  diagnostics.push({ type: "error", path, line: 1, text })
  return true
}

async function rulesOf(folder: string, names: readonly string[]): Promise<readonly Rules[]> {
  const there = ignoreFiles.filter((name) => names.includes(name))
  if (there.length === 0) return []
  const { default: ignore } = await import("ignore")
  const rules = ignore()
  for (const name of there) {
    const path = join(folder, name)
    const stat = statOf(path)
    if (stat?.isFile() === true && stat.size <= limits.ignoreBytes) rules.add(readFileSync(path, "utf8"))
  }
  return [{ folder, rules }]
}

function ignored(rules: readonly Rules[], path: string): boolean {
  const directory = path.endsWith("/") ? "/" : ""
  return rules.some((one) => one.rules.ignores(`${relative(one.folder, path)}${directory}`))
}

function isMarkdown(name: string): boolean {
  return /\.md$/i.test(name) && basename(name).length > 3
}

/** For people who look into the folder, also in a language of theirs: `README.zh-CN.md`. */
function isReadme(name: string): boolean {
  return /^readme(\.[^.]+)?\.md$/i.test(name)
}

/** Sorted names; null where there is no folder that can be read. */
function entriesOf(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return null
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** Null: neither, or nothing at all. */
export function kindOf(path: string): "file" | "folder" | null {
  const stat = statOf(path)
  if (stat?.isFile()) return "file"
  return stat?.isDirectory() ? "folder" : null
}

export function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
