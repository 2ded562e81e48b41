import { globTest } from "../search/glob.ts"

/** Restricts a search to files that match a glob. */
export interface GlobFilter {
  /**
   * For ripgrep: a superset of the matching files, as a file type. Its own `--glob` would include ignored files again.
   */
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

/** The glob for the file name; null if the glob does not restrict it. */
function nameGlob(glob: string): string | null {
  const at = glob.lastIndexOf("/")
  const name = glob.slice(at + 1)
  return name === "" || name.includes("**") || glob.slice(0, at + 1).includes("{") ? null : name
}
