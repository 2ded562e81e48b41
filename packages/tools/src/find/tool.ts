import { openSite } from "../options.ts"
import { runTool } from "../result.ts"
import { pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { counted, numberIn } from "../render/phrases.ts"
import { parameters, type FindArgs, type FindDetails, type FindOptions } from "./schema.ts"

export const findDeclaration = {
  name: "find",
  effect: "read",
  paths: [{ argument: "path", holds: "folder" }],
  aliases: ["Glob"],
  summary: ({ details }) => counted(numberIn(details, "total"), "{0} path", "{0} paths"),
} as const satisfies OwnDeclaration

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
      runTool(context.signal, args.path ?? ".", async () =>
        (await import("./work.ts")).find(site, options, args, context),
      ),
  }
}
