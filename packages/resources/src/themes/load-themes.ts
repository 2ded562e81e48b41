import { phrase, type Text, type Diagnostic, firstOfEachName, type Trusted } from "@gong/spec"
import { basename, join } from "node:path"
import { kindsOf, type ResourceHost } from "../skills/load-files.ts"
import { readTheme } from "./load-theme.ts"
import type { Level } from "../skills/skill.ts"
import type { Theme } from "./theme.ts"

export interface ThemeLocations {
  /** Locations of the user's own and named themes. */
  readonly host: ResourceHost
  /** Folders of themes, full paths, in order of precedence. */
  readonly user: readonly string[]
  /** Colours can hide a question, so a repository's themes need trust. Files and folders relative to its root. */
  readonly project: { readonly trusted: Trusted; readonly folders: readonly string[] } | null
  /** Explicitly named files and folders. */
  readonly paths: readonly string[]
}

export interface LoadedThemes {
  /** One per name. */
  readonly themes: readonly Theme[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Maximum number of themes per location. */
const maxThemes = 200

/** Finds and validates the themes of all locations; never fails: a problem of one file is a diagnostic, the others count. */
export async function loadThemes({ host, user, project, paths }: ThemeLocations): Promise<LoadedThemes> {
  const files = [
    ...(await themesAt(host, user, "user")),
    ...(project === null ? [] : await trustedThemes(project)),
    ...(await themesAt(host, paths, "path")),
  ]
  const found: Theme[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  for (const { path, real, level, text } of files) {
    // Two hosts may have files with the same path.
    const fileKey = `${level === "project" ? "project" : "user"} ${real}`
    if (seen.has(fileKey)) continue
    seen.add(fileKey)
    const read = await text()
    if (!read.ok) {
      diagnostics.push({ type: "error", path, line: 1, text: read.problem })
      continue
    }
    const validated = await readTheme(read.text, { name: basename(path, ".json"), location: path, level })
    diagnostics.push(...validated.diagnostics)
    if (validated.theme !== null) found.push(validated.theme)
  }
  const { first, diagnostics: collisions } = firstOfEachName("theme", found)
  return { themes: first, diagnostics: [...diagnostics, ...collisions] }
}

interface ThemeFile {
  readonly path: string
  readonly real: string
  readonly level: Level
  text(): Promise<ThemeText>
}

type ThemeText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Text }

async function themesAt(host: ResourceHost, locations: readonly string[], level: Level): Promise<readonly ThemeFile[]> {
  const kinds = await kindsOf(host, locations)
  const paths: string[] = []
  for (const [at, location] of locations.entries()) {
    if (kinds[at]?.kind === "folder") paths.push(...(await jsonIn(host, location)))
    else if ((kinds[at]?.real ?? null) !== null) paths.push(location)
  }
  return withReal(
    host,
    paths.map((path) => ({ path, level, text: () => textOf(host, path) })),
  )
}

async function withReal(host: ResourceHost, files: readonly Omit<ThemeFile, "real">[]): Promise<readonly ThemeFile[]> {
  const kinds = await kindsOf(
    host,
    files.map(({ path }) => path),
  )
  return files.map((file, at) => ({ ...file, real: kinds[at]?.real ?? file.path }))
}

/** Maximum bytes of a theme. */
const maxBytes = 65_536

/** Never blocks on a FIFO. */
async function textOf(host: ResourceHost, path: string): Promise<ThemeText> {
  const [looked] = await host.look([path])
  if (looked?.ok !== true) return unreadable(looked)
  const { stat } = looked.value
  if (stat.kind !== "file")
    return { ok: false, problem: phrase`this is no regular file. Put a theme there, or move it away.` }
  if (stat.size > maxBytes)
    return { ok: false, problem: phrase`this has ${stat.size} bytes; a theme may have ${maxBytes}.` }
  const [read] = await host.readFiles([path], { maxBytes })
  return read?.ok === true ? { ok: true, text: new TextDecoder().decode(read.value.bytes) } : unreadable(read)
}

function unreadable(answer: { readonly code: string } | undefined): ThemeText {
  const code = answer?.code ?? "EIO"
  return { ok: false, problem: phrase`this cannot be read (${code}). Fix its permissions, or move it away.` }
}

/** The trusted ones, with their trusted content. */
function trustedThemes({ trusted, folders }: NonNullable<ThemeLocations["project"]>): Promise<readonly ThemeFile[]> {
  const isDirectlyIn = (folder: string) => (path: string) => {
    const name = path.slice(folder.length + 1)
    return path === folder || (path.startsWith(`${folder}/`) && !name.includes("/") && isTheme(name))
  }
  const files = folders.flatMap((folder) =>
    [...trusted.files.keys()].filter(isDirectlyIn(folder)).map((name) => ({
      path: join(trusted.root, name),
      level: "project" as const,
      async text() {
        const found = await trusted.read(name)
        return found.ok
          ? { ok: true as const, text: found.text ?? "" }
          : { ok: false as const, problem: phrase`this ${found.problem}; it is left out.` }
      },
    })),
  )
  return withReal(trusted.host, files)
}

async function jsonIn(host: ResourceHost, folder: string): Promise<readonly string[]> {
  const [listed] = await host.list([folder])
  const names =
    listed?.ok === true
      ? listed.value
          .map(({ name }) => name)
          .filter(isTheme)
          .toSorted()
      : []
  return names.slice(0, maxThemes).map((name) => join(folder, name))
}

function isTheme(name: string): boolean {
  return name.endsWith(".json") && !name.startsWith(".")
}
