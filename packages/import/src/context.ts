import { realpathSync } from "node:fs"
import type { Registry } from "@gong/llm"
import type { Candidates } from "./candidate.ts"
import type { Source } from "./source.ts"

/** The context of every agent's reader. */
export interface ImportContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  /** The workspace for project configuration; null: the user's own. */
  readonly project: string | null
  /** The user has trusted this folder. */
  readonly trusted: boolean
  /** Folders in which Gong searches for skills and templates. */
  readonly libraries: readonly string[]
  readonly registry: Registry
  /** Files below the project, or below the user's home; links out of it are not followed. */
  readonly source: Source
  /** Files below the user's home, also for a project import. */
  readonly own: Source
  readonly candidates: Candidates
}

/** The folder named by a variable, otherwise the default. */
export function folderOf(context: ImportContext, variable: string, fallback: string): string {
  return context.env[variable] || fallback
}

/** The real path; unchanged if it does not exist. */
export function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
