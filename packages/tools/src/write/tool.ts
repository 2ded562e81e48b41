import type { SeenFile, Static } from "@gong/spec"
import { openSite, type ToolOptions } from "../options.ts"
import { atDoor } from "../result.ts"
import { pathNames, renamed, titleOf, type ToolOf } from "../tool.ts"

const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "File to write" },
    content: { type: "string", description: "Its whole new text" },
  },
  required: ["path", "content"],
} as const

export type WriteArgs = Static<typeof parameters>

export type WriteDetails = {
  readonly path: string
  readonly byte_size: number
  readonly created: boolean
  readonly seen?: SeenFile
}

export type WriteTool = ToolOf<WriteArgs, WriteDetails>

export function createWriteTool(cwd: string, options: ToolOptions = {}): WriteTool {
  const site = openSite(cwd, options)
  /** Writes that were held back once. */
  const refused = new Set<string>()
  return {
    name: "write",
    label: "Write",
    description: "Create or replace a whole file; makes parent folders. To change a part of a file use edit.",
    parameters,
    promptSnippet: "Create or replace files",
    promptGuidelines: [],
    readOnly: false,
    recordsChanges: true,
    interruptible: false,
    mapArguments: (args) => renamed(args, { ...pathNames, text: "content" }),
    title: (args) => titleOf(args["path"]),
    execute: (_callId, args, context) =>
      atDoor(context.signal, args.path, async () =>
        (await import("./work.ts")).write({ site, refused }, args, context),
      ),
  }
}
