import type { Static } from "@gong/spec"
import { openSite, type ToolOptions } from "../options.ts"
import { atDoor } from "../result.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import {
  folderParameter,
  limitParameter,
  pathNames,
  renamed,
  titleOf,
  type OwnDeclaration,
  type ToolOf,
} from "../tool.ts"
import { counted, numberIn } from "../render/phrases.ts"

export const findDeclaration = {
  name: "find",
  effect: "read",
  paths: [{ argument: "path", holds: "folder" }],
  aliases: ["Glob"],
  summary: ({ details }) => counted(numberIn(details, "total"), "{0} path", "{0} paths"),
} as const satisfies OwnDeclaration

export const DEFAULT_LIMIT = 1000

const parameters = {
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
  /** Results that are shown. */
  readonly result_count: number
  readonly truncated: boolean
  readonly total: number
}

export interface FindOptions extends ToolOptions, RipgrepOptions {
  /** Names left out everywhere. Default: `.git`; `node_modules` without ignore files; `_build` and `deps` beside a mix.exs. */
  readonly exclude?: readonly string[]
}

export type FindTool = ToolOf<FindArgs, FindDetails>

export function createFindTool(cwd: string, options: FindOptions = {}): FindTool {
  const site = openSite(cwd, options)
  return {
    ...findDeclaration,
    label: "Find",
    description: "Find files and directories by glob, newest first. Ignore files count.",
    parameters,
    promptSnippet: "Find files by name",
    promptGuidelines: [],
    readOnly: true,
    interruptible: true,
    mapArguments: (args) => renamed(args, pathNames),
    title: (args) => titleOf(args["pattern"]),
    execute: (_callId, args, context) =>
      atDoor(context.signal, args.path ?? ".", async () =>
        (await import("./work.ts")).find(site, options, args, context),
      ),
  }
}
