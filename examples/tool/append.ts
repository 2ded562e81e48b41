/**
 * A built-in tool in one file. To add it to Gong:
 *
 *   1. Copy this file to packages/tools/src/append/tool.ts, and shorten "../../packages/tools/src/" in its imports to "../".
 *   2. Add one line to the table in packages/tools/src/built-in.ts:
 *      { declaration: appendDeclaration, create: createAppendTool },
 *
 * Permissions, hooks, undo, compaction and every frontend use what it declares; nothing else knows its name.
 */
import { phrase, type Static } from "@gong/spec"
import { changeFile } from "../../packages/tools/src/files/change-file.ts"
import { changesSummary } from "../../packages/tools/src/files/summary.ts"
import { openSite, type ToolOptions } from "../../packages/tools/src/options.ts"
import { resolveForWrite } from "../../packages/tools/src/paths.ts"
import { line } from "../../packages/tools/src/render/lines.ts"
import { toolResult } from "../../packages/tools/src/result.ts"
import { type OwnDeclaration, titleOf, type ToolOf } from "../../packages/tools/src/tool.ts"

export const appendDeclaration = {
  name: "append",
  effect: "write",
  paths: [{ argument: "file", holds: "file" }],
  recordsChanges: true,
  aliases: ["Append"],
  ownTitle: ({ lines }) => (typeof lines === "number" ? phrase`${lines} lines` : null),
  toHook: ({ file, ...rest }) => ({ input: { file_path: file, ...rest } }),
  summary: changesSummary,
  render: ({ details }) => [line(`+ ${String(details?.["text"])}`, "added")],
} as const satisfies OwnDeclaration

const parameters = {
  type: "object",
  properties: { file: { type: "string" }, text: { type: "string" } },
  required: ["file", "text"],
} as const

type Args = Static<typeof parameters>

export function createAppendTool(cwd: string, options: ToolOptions = {}): ToolOf<Args, { text: string }> {
  const site = openSite(cwd, options)
  return {
    ...appendDeclaration,
    label: "Append",
    description: "Append text to a file.",
    parameters,
    promptSnippet: "Append to files",
    promptGuidelines: [],
    readOnly: false,
    interruptible: false,
    title: ({ file }) => titleOf(file),
    async execute(_callId, { file, text }, context) {
      const host = await site.host()
      const path = await resolveForWrite(host, site.place, "append", file)
      const found = await host.stat(path)
      const before = found && (await host.readRange(path, 0))
      await changeFile(host, context, { path, found, before, after: [before ?? new Uint8Array(), Buffer.from(text)] })
      return { ...toolResult("done", { text }), files: [{ path: file, change: "modified", added: 1, removed: 0 }] }
    },
  }
}
