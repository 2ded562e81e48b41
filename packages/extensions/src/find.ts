import { phrase, ownFolder, type Diagnostic, type Trusted } from "@gong/spec"
import { readdirSync, realpathSync, statSync, type Stats } from "node:fs"
import { basename, join } from "node:path"
import type { ImportBoundary } from "./protocol.ts"

export interface ExtensionLocations {
  /** The user's folder of extensions; null: not searched. */
  readonly user: string | null
  /** Only a trusted folder may provide extensions. */
  readonly project: Trusted | null
  /** Full paths named by the user: a file, the folder of one extension, or a folder of several. */
  readonly named: readonly string[]
}

export interface FoundExtension {
  /** The name of its file without the extension, or of its folder. */
  readonly name: string
  /** Full path of its file. */
  readonly path: string
  readonly boundary: ImportBoundary | null
  readonly level: "user" | "project" | "path"
}

export interface FoundExtensions {
  readonly extensions: readonly FoundExtension[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Maximum number of extensions per session. */
const maxExtensions = 100
const endings = [".ts", ".mts", ".js", ".mjs"]

/** In the order user, project, path, each sorted by name. The first of two equal names wins. Never fails. */
export function findExtensions({ user, project, named }: ExtensionLocations): FoundExtensions {
  const diagnostics: Diagnostic[] = []
  const all = [
    ...(user === null ? [] : extensionsIn(user, "user", null)),
    ...(project === null ? [] : projectExtensions(project, diagnostics)),
    ...named.flatMap(extensionsAt),
  ]
  const byName = new Map<string, FoundExtension>()
  for (const one of all) {
    const before = byName.get(one.name)
    if (before === undefined) byName.set(one.name, one)
    else if (before.path !== one.path) {
      const text = phrase`this extension is left out: ${before.path} has its name. Rename one of them.`
      diagnostics.push({ type: "collision", path: one.path, line: null, text })
    }
  }
  const extensions = [...byName.values()]
  const [first, ...more] = extensions.slice(maxExtensions)
  if (first !== undefined) {
    const text = phrase`this extension and ${more.length} more are left out: ${maxExtensions} are the most. Remove some.`
    diagnostics.push({ type: "error", path: first.path, line: null, text })
  }
  return { extensions: extensions.slice(0, maxExtensions), diagnostics }
}

/** Extensions of a repository: links out of the trusted folder are not followed. */
function projectExtensions({ root, files }: Trusted, diagnostics: Diagnostic[]): readonly FoundExtension[] {
  const folder = join(root, ownFolder, "extensions")
  const real = realPath(folder)
  if (real === null) return []
  const trusted = new Map([...files].map(([path, hash]) => [join(root, path), hash]))
  return extensionsIn(folder, "project", { folder: real, files: trusted }).filter(({ path }) => {
    const inside = realPath(path)?.startsWith(`${real}/`) === true
    const text = phrase`this link leads out of ${folder} and is not followed. Put the file there.`
    if (!inside) diagnostics.push({ type: "error", path, line: null, text })
    return inside
  })
}

function extensionsAt(path: string): readonly FoundExtension[] {
  if (statOf(path)?.isDirectory() !== true) return [{ name: nameOf(path), path, boundary: null, level: "path" }]
  const index = indexOf(path)
  return index === null
    ? extensionsIn(path, "path", null)
    : [{ name: basename(path), path: index, boundary: null, level: "path" }]
}

function extensionsIn(
  folder: string,
  level: FoundExtension["level"],
  boundary: ImportBoundary | null,
): readonly FoundExtension[] {
  const found: FoundExtension[] = []
  for (const entry of entriesOf(folder)) {
    if (entry.startsWith(".") || entry === "node_modules") continue
    const path = join(folder, entry)
    const stat = statOf(path)
    if (stat?.isDirectory() === true) {
      const index = indexOf(path)
      if (index !== null) found.push({ name: entry, path: index, boundary: boundary, level })
    } else if (stat?.isFile() === true && isCode(entry))
      found.push({ name: nameOf(entry), path, boundary: boundary, level })
  }
  return found
}

/** Declarations and tests beside the code are not extensions. */
function isCode(name: string): boolean {
  return endings.some((ending) => name.endsWith(ending)) && !/\.(d|test|spec)\.[^.]+$/.test(name)
}

function nameOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/, "")
}

function indexOf(folder: string): string | null {
  const paths = endings.map((ending) => join(folder, `index${ending}`))
  return paths.find((path) => statOf(path)?.isFile() === true) ?? null
}

/** Sorted; empty if the folder cannot be read. */
function entriesOf(folder: string): readonly string[] {
  // Most folders do not exist, and an exception costs more than the check.
  if (statOf(folder)?.isDirectory() !== true) return []
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
