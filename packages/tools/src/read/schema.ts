import type { SeenFile, Static } from "@gong/spec"
import type { ToolOptions } from "../options.ts"
import type { ImageOptions } from "../files/read-image.ts"
import type { Cut } from "../truncate.ts"

export const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "File to read" },
    offset: { type: "integer", description: "First line, from 1" },
    limit: { type: "integer", minimum: 1, description: "Number of lines" },
  },
  required: ["path"],
} as const

export type ReadArgs = Static<typeof parameters>

/** Two levels (contract C-11): the record of every read, and `truncation`, present only if the text was cut. */
export type ReadDetails = {
  readonly path: string
  /** Number of lines in the content. */
  readonly line_count: number
  readonly truncated: boolean
  readonly encoding: string
  readonly truncation?: Cut
  readonly hint?: string
  readonly seen?: SeenFile
}

export interface ReadOptions extends ToolOptions, ImageOptions {
  /** Prefixes lines with numbers and cuts lines over 2000 characters. Default off, since edit needs the exact text. */
  readonly lineNumbers?: boolean
}
