import type { Role } from "../terminal/style.ts"
import type { Level } from "./skill.ts"

/** Colours for what the terminal shows. */
export interface Theme {
  /** The name of its file. */
  readonly name: string
  /** Full path of its file. */
  readonly location: string
  readonly level: Level
  /** As they are written in the file: the name of one of the sixteen, or `#rrggbb`. */
  readonly colors: Readonly<Partial<Record<Role, string>>>
}

/** The file that the setting names; null where it names a theme, or none. Not from the cwd: that may be a repository's. */
export function themeFile(setting: string | null, userHome: string): string | null {
  if (setting?.startsWith("~/") === true) return `${userHome}${setting.slice(1)}`
  return setting?.startsWith("/") === true ? setting : null
}
