import type { Role } from "@gong/texts/style"
import type { Level } from "../skills/skill.ts"

/** Colours of the terminal output. */
export interface Theme {
  /** The name of its file. */
  readonly name: string
  /** Full path of its file. */
  readonly location: string
  readonly level: Level
  /** As in the file: one of the sixteen colour names, or `#rrggbb`. */
  readonly colors: RoleColors
  /** Those that differ on a light background. */
  readonly light: RoleColors
}

export type RoleColors = Readonly<Partial<Record<Role, string>>>

/** The file of the setting; null for a theme name, or none. Never relative to the cwd, which may be a repository. */
export function themeFile(setting: string | null, userHome: string): string | null {
  if (setting?.startsWith("~/") === true) return `${userHome}${setting.slice(1)}`
  return setting?.startsWith("/") === true ? setting : null
}
