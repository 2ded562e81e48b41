import type { Scope } from "../search/scope.ts"
import type { GlobFilter } from "./glob-filter.ts"

/** What is looked for, and where. */
export interface Search extends Scope {
  /** The one file of the folder that is searched; null for all that count. */
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

/** What an engine finds, file by file and in each in order of its lines. */
export type SearchEvent =
  | { readonly path: string; readonly line: number; readonly text: string; readonly hit: boolean }
  /** Said of the whole file. */
  | { readonly path: string; readonly remark: string; readonly instead: boolean }
  | { readonly path: string; readonly count: number }

export interface Searched {
  /** It is known that there are files that count. */
  readonly any: boolean
  /** What could not be searched; empty when all was. */
  readonly trouble: string
}
