import { phrase, type Text } from "@gong/spec"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { type Diagnostic, firstOfEachName } from "../diagnostic.ts"
import type { Trusted } from "../trust/trusted.ts"
import { kindOf, realPath } from "./load-files.ts"
import { readTheme } from "./load-theme.ts"
import type { Level } from "./skill.ts"
import type { Theme } from "./theme.ts"

export interface ThemePlaces {
  /** Folders of themes, full paths, first wins. */
  readonly user: readonly string[]
  /** Colours can hide a question, so a repository's need trust. Files and folders from its root. */
  readonly project: { readonly trusted: Trusted; readonly folders: readonly string[] } | null
  /** Files and folders that somebody named. */
  readonly paths: readonly string[]
}

export interface LoadedThemes {
  /** One for each name. */
  readonly themes: readonly Theme[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Themes of one place. */
const maxThemes = 200

/** Finds and judges the themes of all places; never fails: what is wrong with one file is a diagnostic, the others count. */
export async function loadThemes({ user, project, paths }: ThemePlaces): Promise<LoadedThemes> {
  const files = [
    ...user.flatMap((place) => themesAt(place, "user")),
    ...(project === null ? [] : trustedThemes(project)),
    ...paths.flatMap((place) => themesAt(place, "path")),
  ]
  const found: Theme[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  for (const { path, level, text } of files) {
    const real = realPath(path) ?? path
    if (seen.has(real)) continue
    seen.add(real)
    const read = await text()
    if (!read.ok) {
      diagnostics.push({ type: "error", path, line: 1, text: read.problem })
      continue
    }
    const judged = await readTheme(read.text, { name: basename(path, ".json"), location: path, level })
    diagnostics.push(...judged.diagnostics)
    if (judged.theme !== null) found.push(judged.theme)
  }
  const { first, diagnostics: collisions } = firstOfEachName("theme", found)
  return { themes: first, diagnostics: [...diagnostics, ...collisions] }
}

interface ThemeFile {
  readonly path: string
  readonly level: Level
  text(): Promise<ThemeText>
}

type ThemeText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Text }

function themesAt(place: string, level: Level): readonly ThemeFile[] {
  const paths = kindOf(place) === "folder" ? jsonIn(place) : realPath(place) === null ? [] : [place]
  return paths.map((path) => ({ path, level, text: async () => textOf(path) }))
}

/** A theme is a page of text; what is larger is something else. */
const maxBytes = 65_536

/** Never waits on a FIFO. */
function textOf(path: string): ThemeText {
  try {
    const stat = statSync(path)
    if (!stat.isFile())
      return { ok: false, problem: phrase`this is no regular file. Put a theme there, or move it away.` }
    if (stat.size > maxBytes)
      return { ok: false, problem: phrase`this has ${stat.size} bytes; a theme may have ${maxBytes}.` }
    return { ok: true, text: readFileSync(path, "utf8").replace(/^\uFEFF/, "") }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "EIO"
    return { ok: false, problem: phrase`this cannot be read (${code}). Fix its permissions, or move it away.` }
  }
}

/** Those that were trusted, as they were then. */
function trustedThemes({ trusted, folders }: NonNullable<ThemePlaces["project"]>): readonly ThemeFile[] {
  const isIn = (folder: string) => (path: string) => {
    const name = path.slice(folder.length + 1)
    return path === folder || (path.startsWith(`${folder}/`) && !name.includes("/") && isTheme(name))
  }
  return folders.flatMap((folder) =>
    [...trusted.files.keys()].filter(isIn(folder)).map((name) => ({
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
}

function jsonIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter(isTheme).toSorted()
    return names.slice(0, maxThemes).map((name) => join(folder, name))
  } catch {
    return []
  }
}

function isTheme(name: string): boolean {
  return name.endsWith(".json") && !name.startsWith(".")
}
