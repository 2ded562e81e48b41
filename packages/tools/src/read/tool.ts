import type { SeenFile, Static } from "@gong/spec"
import { openSite, type ToolOptions } from "../options.ts"
import type { ImageOptions } from "../files/read-image.ts"
import { atDoor } from "../result.ts"
import { pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import type { Cut } from "../truncate.ts"
import { withFilePath } from "../hook-form.ts"
import { render, summary } from "./render.ts"

export const readDeclaration = {
  name: "read",
  effect: "read",
  paths: [{ argument: "path", holds: "file" }],
  aliases: ["Read"],
  toHook: withFilePath,
  summary,
  render,
} as const satisfies OwnDeclaration

const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "File to read" },
    offset: { type: "integer", description: "First line, from 1" },
    limit: { type: "integer", minimum: 1, description: "Number of lines" },
  },
  required: ["path"],
} as const

export type ReadArgs = Static<typeof parameters>

/**
 * Two levels (contract C-11): the record around every read, and `truncation`, which is there only when something was
 * cut, as the details of the tool alone were.
 */
export type ReadDetails = {
  readonly path: string
  /** Lines in the content. */
  readonly line_count: number
  readonly truncated: boolean
  readonly encoding: string
  readonly truncation?: Cut
  readonly hint?: string
  readonly seen?: SeenFile
}

export interface ReadOptions extends ToolOptions, ImageOptions {
  /** Numbers before each line, and lines over 2000 characters cut. Default off: edit needs the exact text. */
  readonly lineNumbers?: boolean
}

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
      atDoor(context.signal, args.path, async () => (await import("./work.ts")).read(site, options, args, context)),
  }
}

/** `:10-50`, `:10` to the end, nothing for the whole file. */
function rangeOf({ offset, limit }: Readonly<Record<string, unknown>>): string {
  if (typeof offset !== "number" && typeof limit !== "number") return ""
  const first = typeof offset === "number" ? Math.max(1, offset) : 1
  return typeof limit === "number" ? `:${first}-${first + limit - 1}` : `:${first}`
}
