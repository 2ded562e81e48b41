import type { Clock, Host } from "@gong/spec"
import type { Site } from "../options.ts"
import { type Place, resolveForRead, rootsOf, secretsOf } from "../paths.ts"
import { dirname, join } from "../posix-path.ts"
import { Refusal } from "../result.ts"

/** Selects the files of a folder; the same for ripgrep and for the walker. */
export interface Scope {
  /** Absolute. */
  readonly folder: string
  /** Excluded regardless of ignore files: patterns as in an ignore file of the folder. */
  readonly exclude: readonly string[]
  /** Ignore files are not applied. */
  readonly everything: boolean
  /** The folder is in a git repository, so ignore files of git above its top are not applied. */
  readonly repository: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Reported if ignore files exclude the whole searched folder. */
export const ignoresUnapplied = "ignore files leave nothing of this path, so they were not applied"

/** The folder named by a call, or a refusal with advice. */
export async function resolveFolder(
  site: Site,
  tool: string,
  typed: string,
  hints: { readonly missing: string; readonly file: string },
): Promise<string> {
  const host = await site.host()
  const path = await resolveForRead(host, site.place, tool, typed)
  const found = await host.stat(path)
  if (found === null) throw new Refusal(`Path not found: ${typed}. ${hints.missing}`)
  if (found.kind !== "directory") throw new Refusal(`Not a directory: ${typed}. ${hints.file}`)
  return path
}

/** A NUL would end an argument of ripgrep, and no line of text contains one. */
export function checkPattern(pattern: string): void {
  if (pattern.includes("\0")) throw new Refusal("The pattern holds a NUL character. Give it without.")
}

/** Excludes secret paths from searches that start above them. */
export async function secretPatterns(host: Host, place: Place, folder: string): Promise<readonly string[]> {
  const roots = rootsOf(place)
  if (roots === undefined || roots === "anywhere") return []
  const base = folder === "/" ? "/" : `${folder}/`
  const below = (await secretsOf(place)).filter((path) => path.startsWith(base))
  const patterns = below.map((path) => `/${path.slice(base.length)}`)
  // Other programs keep logins in dot folders of the home.
  if (host.home === folder) patterns.push("/.*/**/auth.json")
  else if (host.home.startsWith(base)) patterns.push(`/${host.home.slice(base.length)}/.*/**/auth.json`)
  return patterns
}

export async function inRepository(host: Host, folder: string): Promise<boolean> {
  if (await isThere(host, join(folder, ".git"))) return true
  return folder !== "/" && inRepository(host, dirname(folder))
}

export async function isThere(host: Host, path: string): Promise<boolean> {
  return (await host.stat(path).catch(() => null)) !== null
}

/** Excluded besides ignored files (row FIND-P.1): names that mean build output only in their ecosystem. */
export async function excludedNames(host: Host, folder: string): Promise<readonly string[]> {
  const builds = (await isThere(host, join(folder, "mix.exs"))) ? ["/_build", "/deps"] : []
  return [".git", ...((await hasIgnoreFile(host, folder)) ? [] : ["node_modules"]), ...builds]
}

/** In the folder or above it, up to the top of its repository. */
async function hasIgnoreFile(host: Host, folder: string): Promise<boolean> {
  for (const name of [".gitignore", ".ignore", ".rgignore"]) if (await isThere(host, join(folder, name))) return true
  return folder !== "/" && !(await isThere(host, join(folder, ".git"))) && hasIgnoreFile(host, dirname(folder))
}

/** The scope as arguments of ripgrep. */
export function scopeFlags(scope: Scope): readonly string[] {
  const ignores = scope.everything ? ["--no-ignore"] : scope.repository ? [] : ["--no-require-git"]
  return ["--hidden", ...ignores, ...scope.exclude.flatMap((pattern) => ["--glob", `!${pattern}`])]
}
