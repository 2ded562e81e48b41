import { openSite, type ToolOptions } from "../options.ts"
import { runPreview, runTool } from "../result.ts"
import { pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { changesSummary } from "../files/summary.ts"
import { withFilePath } from "../hook-form.ts"
import { parameters, type WriteArgs, type WriteDetails } from "./schema.ts"

export const writeDeclaration = {
  name: "write",
  effect: "write",
  paths: [{ argument: "path", holds: "file" }],
  recordsChanges: true,
  aliases: ["Write"],
  toHook: withFilePath,
  summary: changesSummary,
} as const satisfies OwnDeclaration

export type WriteTool = ToolOf<WriteArgs, WriteDetails>

export function createWriteTool(cwd: string, options: ToolOptions = {}): WriteTool {
  const site = openSite(cwd, options)
  /** Writes refused once. */
  const refused = new Set<string>()
  return {
    ...writeDeclaration,
    label: "Write",
    description: "Create or replace a whole file; makes parent folders. To change a part of a file use edit.",
    parameters,
    promptSnippet: "Create or replace files",
    promptGuidelines: [],
    readOnly: false,
    interruptible: false,
    mapArguments: (args) => renamed(args, { ...pathNames, text: "content" }),
    title: (args) => titleOf(args["path"]),
    preview: (args: WriteArgs, context) =>
      runPreview(args.path, async () => (await import("./preview.ts")).previewWrite({ site, refused }, args, context)),
    execute: (_callId, args, context) =>
      runTool(context.signal, args.path, async () =>
        (await import("./work.ts")).write({ site, refused }, args, context),
      ),
  }
}
