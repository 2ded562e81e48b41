import { phrase, type Text } from "@gong/spec"
import { lstatSync, mkdirSync, statSync, type Stats } from "node:fs"
import { join } from "node:path"
import { codeOf } from "./usage.ts"

export type PrivateFolder =
  | { readonly path: string; readonly problem: null }
  /** A sentence fragment for people; null: it does not exist yet. */
  | { readonly path: null; readonly problem: Text | null }

/**
 * A folder below Gong's home for unchecked content: cached code, and caches of tools. Only the user may be able to write to it and
 * to its parents up to the home, and no link may lead to it; the home itself may be a link. `make` creates missing folders (0700).
 * The launcher (`bin/gong.js`) applies the same rule to the compile cache.
 */
export function privateFolder(home: string, names: readonly string[], { make }: { make: boolean }): PrivateFolder {
  let path = home
  try {
    const problem = problemOf(home, statSync(home))
    if (problem !== null) return { path: null, problem }
    for (const name of names) {
      path = join(path, name)
      if (make && lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, { mode: 0o700 })
      const found = problemOf(path, lstatSync(path))
      if (found !== null) return { path: null, problem: found }
    }
    return { path, problem: null }
  } catch (error) {
    return {
      path: null,
      problem: codeOf(error) === "ENOENT" ? null : phrase`${path} cannot be used (${codeOf(error)})`,
    }
  }
}

/** Systems without user ids have other rules, which a mode does not show. */
function problemOf(path: string, stat: Stats): Text | null {
  const uid = process.geteuid?.()
  if (!stat.isDirectory()) return phrase`${path} is not a folder`
  if (uid === undefined) return null
  if (stat.uid !== uid) return phrase`${path} belongs to another user`
  return (stat.mode & 0o022) === 0 ? null : phrase`others can write to ${path} (chmod go-w)`
}
