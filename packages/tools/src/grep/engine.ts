import type { Scope } from "../search/scope.ts"
import type { GlobFilter } from "./glob-filter.ts"

/** The pattern and where to search. */
export interface Search extends Scope {
  /** The only file to search; null for all files of the folder that are not ignored. */
  readonly file: string | null
  readonly pattern: string
  readonly literal: boolean
  readonly ignoreCase: boolean
  readonly globFilter: GlobFilter | null
  readonly mode: "content" | "files_with_matches" | "count"
  readonly before: number
  readonly after: number
  readonly limit: number
}

/** Reported by an engine file by file, and within a file in line order. */
export type SearchEvent =
  | { readonly path: string; readonly line: number; readonly text: string; readonly hit: boolean }
  /** About the whole file. */
  | { readonly path: string; readonly remark: string; readonly instead: boolean }
  | { readonly path: string; readonly count: number }

export interface Searched {
  /** Some file is not ignored. */
  readonly any: boolean
  /** What could not be searched; empty if everything was. */
  readonly trouble: string
}
