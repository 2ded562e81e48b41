import { realpathSync } from "node:fs"
import type { Registry } from "@gong/llm"
import type { Findings } from "./finding.ts"
import type { Source } from "./source.ts"

/** What every agent's reader is given. */
export interface ImportPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  /** The workspace where the project's configuration moves in; null: the user's own. */
  readonly project: string | null
  /** The user said that what this folder brings may act. */
  readonly trusted: boolean
  /** Folders in which Gong finds skills and templates where they are. */
  readonly libraries: readonly string[]
  readonly registry: Registry
  /** Files below the project, or below the user's home; links out of it are not followed. */
  readonly source: Source
  /** Files below the user's home, also where a project moves in. */
  readonly own: Source
  readonly findings: Findings
}

/** The folder that a variable names, else the usual one. */
export function folderOf(place: ImportPlace, variable: string, usual: string): string {
  return place.env[variable] || usual
}

/** A path as the disk has it; as it was given where there is nothing yet. */
export function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
