import type { HostDirent, Static } from "@gong/spec"
import type { ToolOptions } from "../options.ts"
import { folderParameter, limitParameter } from "../tool.ts"

export const DEFAULT_LIMIT = 500

export const parameters = {
  type: "object",
  properties: { path: folderParameter, limit: limitParameter(DEFAULT_LIMIT) },
} as const

export type LsArgs = Static<typeof parameters>

export interface LsEntry {
  readonly name: string
  readonly type: HostDirent["kind"]
  readonly size: number
}

export type LsDetails = {
  readonly path: string
  readonly entry_count: number
  /** Total bytes of the listed entries. */
  readonly total_size: number
  readonly truncated: boolean
  readonly entries: readonly LsEntry[]
}

export interface LsOptions extends ToolOptions {
  /** Default: alphabetical, ignoring case. */
  readonly sort?: "name" | "dirs-first"
}
