import { openSite } from "../options.ts"
import { runTool } from "../result.ts"
import { pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { counted, numberIn } from "../render/phrases.ts"
import { parameters, type LsArgs, type LsDetails, type LsOptions } from "./schema.ts"

export const lsDeclaration = {
  name: "ls",
  effect: "read",
  paths: [{ argument: "path", holds: "folder" }],
  aliases: ["LS"],
  summary: ({ details }) => counted(numberIn(details, "entry_count"), "{0} entry", "{0} entries"),
} as const satisfies OwnDeclaration

export type LsTool = ToolOf<LsArgs, LsDetails>

export function createLsTool(cwd: string, options: LsOptions = {}): LsTool {
  const site = openSite(cwd, options)
  return {
    ...lsDeclaration,
    label: "List",
    description: "List a directory, with dotfiles; directories end with /.",
    parameters,
    promptSnippet: "List directories",
    promptGuidelines: [],
    readOnly: true,
    interruptible: true,
    mapArguments: (args) => renamed(args, pathNames),
    title: (args) => titleOf(args["path"] ?? "."),
    execute: (_callId, args, context) =>
      runTool(context.signal, args.path ?? ".", async () =>
        (await import("./work.ts")).ls(site, options, args, context),
      ),
  }
}
