import type { Static } from "@gong/spec"
import type { ToolOptions } from "../options.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import { folderParameter, limitParameter } from "../tool.ts"

export const DEFAULT_LIMIT = 1000

export const parameters = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "Glob, e.g. *.ts or src/**/*.test.ts" },
    path: folderParameter,
    limit: limitParameter(DEFAULT_LIMIT),
  },
  required: ["pattern"],
} as const

export type FindArgs = Static<typeof parameters>

export type FindDetails = {
  readonly pattern: string
  /** Number of results shown. */
  readonly result_count: number
  readonly truncated: boolean
  readonly total: number
}

export interface FindOptions extends ToolOptions, RipgrepOptions {
  /**
   * Names excluded everywhere. Default: `.git`; `node_modules` without ignore files; `_build` and `deps` beside a
   * mix.exs.
   */
  readonly exclude?: readonly string[]
}
