import { globTest } from "../search/glob.ts"

/** Which files a glob leaves of those that count. */
export interface GlobFilter {
  /** For ripgrep: at least the files that fit, as a type of file. Its own `--glob` would bring back what ignore files name. */
  readonly flags: readonly string[]
  /** `path` is relative to the searched folder. */
  matches(path: string): boolean
}

export function globFilterOf(glob: string): GlobFilter {
  const negated = glob.startsWith("!")
  const plain = negated ? glob.slice(1) : glob
  const matches = globTest(plain)
  const name = nameGlob(plain)
  const whole = !plain.includes("/")
  const flags = name === null || (negated && !whole) ? [] : [`--type-add=gong:${name}`, negated ? "-Tgong" : "-tgong"]
  return { flags, matches: (path) => matches(path) !== negated }
}

/** What the last name of a path must fit; null when the glob does not say. */
function nameGlob(glob: string): string | null {
  const at = glob.lastIndexOf("/")
  const name = glob.slice(at + 1)
  return name === "" || name.includes("**") || glob.slice(0, at + 1).includes("{") ? null : name
}
