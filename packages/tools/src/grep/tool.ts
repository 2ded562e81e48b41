import { openSite } from "../options.ts"
import { runTool } from "../result.ts"
import { pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { summary } from "./summary.ts"
import { parameters, type GrepArgs, type GrepDetails, type GrepOptions } from "./schema.ts"

export const grepDeclaration = {
  name: "grep",
  effect: "read",
  paths: [{ argument: "path", holds: "tree" }],
  aliases: ["Grep"],
  summary,
} as const satisfies OwnDeclaration

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
      runTool(context.signal, args.path ?? ".", async () =>
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
