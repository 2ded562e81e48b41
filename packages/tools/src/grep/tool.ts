import type { SeenFile, Static } from "@gong/spec"
import { openSite, type ToolOptions } from "../options.ts"
import { atDoor } from "../result.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import { limitParameter, pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { summary } from "./summary.ts"

export const grepDeclaration = {
  name: "grep",
  effect: "read",
  paths: [{ argument: "path", holds: "tree" }],
  aliases: ["Grep"],
  summary,
} as const satisfies OwnDeclaration

export const DEFAULT_LIMIT = 100

const parameters = {
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
  /** Files of which a line is shown. */
  readonly seen?: readonly SeenFile[]
}

export interface GrepOptions extends ToolOptions, RipgrepOptions {}

export type GrepTool = ToolOf<GrepArgs, GrepDetails>

export function createGrepTool(cwd: string, options: GrepOptions = {}): GrepTool {
  const site = openSite(cwd, options)
  return {
    ...grepDeclaration,
    label: "Grep",
    description:
      "Search file contents with ripgrep. Ignore files count; a path that is given is searched all the same.",
    parameters,
    promptSnippet: "Search file contents",
    promptGuidelines: [],
    readOnly: true,
    interruptible: true,
    mapArguments: (args) => renamed(args, { ...pathNames, ...grepNames }),
    title: (args) => titleOf(args["pattern"]),
    execute: (_callId, args, context) =>
      atDoor(context.signal, args.path ?? ".", async () =>
        (await import("./work.ts")).grep(site, options, args, context),
      ),
  }
}

const grepNames = {
  ignore_case: "ignoreCase",
  case_insensitive: "ignoreCase",
  "-i": "ignoreCase",
  "-A": "after",
  "-B": "before",
  "-C": "context",
  output_mode: "outputMode",
  head_limit: "limit",
  include: "glob",
} as const
