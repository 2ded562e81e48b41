import type { SeenFile, Static } from "@gong/spec"
import type { ToolOptions } from "../options.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import { limitParameter } from "../tool.ts"

export const DEFAULT_LIMIT = 100

export const parameters = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "Regex (Rust syntax)" },
    path: { type: "string", description: "File or directory, default the working directory" },
    glob: { type: "string", description: "Only these files, e.g. *.ts" },
    ignoreCase: { type: "boolean" },
    literal: { type: "boolean", description: "Pattern is plain text" },
    context: { type: "integer", minimum: 0, description: "Lines around each match" },
    before: { type: "integer", minimum: 0 },
    after: { type: "integer", minimum: 0 },
    outputMode: { enum: ["content", "files_with_matches", "count"] },
    limit: limitParameter(DEFAULT_LIMIT),
  },
  required: ["pattern"],
} as const

export type GrepArgs = Static<typeof parameters>

export type GrepDetails = {
  readonly pattern: string
  readonly file_count: number
  readonly match_count: number
  readonly truncated: boolean
  /** Files with at least one line shown. */
  readonly seen?: readonly SeenFile[]
}

export interface GrepOptions extends ToolOptions, RipgrepOptions {}
