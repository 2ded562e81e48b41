import type { HostDirent, Static } from "@gong/spec"
import { openSite, type ToolOptions } from "../options.ts"
import { atDoor } from "../result.ts"
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

export const lsDeclaration = {
  name: "ls",
  effect: "read",
  paths: [{ argument: "path", holds: "folder" }],
  aliases: ["LS"],
  summary: ({ details }) => counted(numberIn(details, "entry_count"), "{0} entry", "{0} entries"),
} as const satisfies OwnDeclaration

export const DEFAULT_LIMIT = 500

const parameters = {
  type: "object",
  properties: { path: folderParameter, limit: limitParameter(DEFAULT_LIMIT) },
} as const

export type LsArgs = Static<typeof parameters>

export interface LsEntry {
  readonly name: string
  readonly type: HostDirent["kind"]
  readonly size: number
}

export type LsDetails = {
  readonly path: string
  readonly entry_count: number
  /** Bytes of the entries that are listed. */
  readonly total_size: number
  readonly truncated: boolean
  readonly entries: readonly LsEntry[]
}

export interface LsOptions extends ToolOptions {
  /** Default: one alphabetical order that ignores case. */
  readonly sort?: "name" | "dirs-first"
}

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
      atDoor(context.signal, args.path ?? ".", async () =>
        (await import("./work.ts")).ls(site, options, args, context),
      ),
  }
}
