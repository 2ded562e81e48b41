import { openSite } from "../options.ts"
import { runTool } from "../result.ts"
import { pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { withFilePath } from "../hook-form.ts"
import { render, summary } from "./render.ts"
import { parameters, type ReadArgs, type ReadDetails, type ReadOptions } from "./schema.ts"

export const readDeclaration = {
  name: "read",
  effect: "read",
  paths: [{ argument: "path", holds: "file" }],
  aliases: ["Read"],
  toHook: withFilePath,
  summary,
  render,
} as const satisfies OwnDeclaration

export type ReadTool = ToolOf<ReadArgs, ReadDetails>

export function createReadTool(cwd: string, options: ReadOptions = {}): ReadTool {
  const site = openSite(cwd, options)
  return {
    ...readDeclaration,
    label: "Read",
    description:
      "Read a text file or image. Text is cut at 2000 lines or 50 KB; go on with offset. Binary files are named, not shown.",
    parameters,
    promptSnippet: "Read file contents",
    promptGuidelines: ["Use read to examine files instead of cat or sed"],
    readOnly: true,
    interruptible: true,
    mapArguments: (args) => renamed(args, pathNames),
    title: (args) => `${titleOf(args["path"])}${rangeOf(args)}`,
    execute: (_callId, args, context) =>
      runTool(context.signal, args.path, async () => (await import("./work.ts")).read(site, options, args, context)),
  }
}

/** `:10-50`, `:10` to the end, empty for the whole file. */
function rangeOf({ offset, limit }: Readonly<Record<string, unknown>>): string {
  if (typeof offset !== "number" && typeof limit !== "number") return ""
  const first = typeof offset === "number" ? Math.max(1, offset) : 1
  return typeof limit === "number" ? `:${first}-${first + limit - 1}` : `:${first}`
}
