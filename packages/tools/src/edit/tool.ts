import { isRecord } from "@gong/spec"
import { openSite, type ToolOptions } from "../options.ts"
import { runPreview, runTool } from "../result.ts"
import { pathNames, renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { changesSummary } from "../files/summary.ts"
import { editForm } from "./hook-form.ts"
import { render } from "./render.ts"
import { parameters, type EditArgs, type EditDetails } from "./schema.ts"

export const editDeclaration = {
  name: "edit",
  effect: "write",
  paths: [{ argument: "path", holds: "file" }],
  recordsChanges: true,
  aliases: ["Edit", "MultiEdit"],
  toHook: editForm,
  summary: changesSummary,
  render,
} as const satisfies OwnDeclaration

export type EditTool = ToolOf<EditArgs, EditDetails>

export function createEditTool(cwd: string, options: ToolOptions = {}): EditTool {
  const site = openSite(cwd, options)
  return {
    ...editDeclaration,
    label: "Edit",
    description:
      "Replace exact text in a file. Put all changes to one file into one call; they apply together or not at all.",
    parameters,
    promptSnippet: "Edit file contents",
    promptGuidelines: [],
    readOnly: false,
    interruptible: false,
    mapArguments,
    title: (args) => titleOf(args["path"]),
    preview: (args: EditArgs, context) =>
      runPreview(args.path, async () => (await import("./preview.ts")).previewEdit(site, args, context)),
    execute: (_callId, args, context) =>
      runTool(context.signal, args.path, async () => (await import("./work.ts")).edit(site, args, context)),
  }
}

const editNames = {
  old_text: "oldText",
  old_string: "oldText",
  oldString: "oldText",
  old: "oldText",
  new_text: "newText",
  new_string: "newText",
  newString: "newText",
  new: "newText",
  replace_all: "replaceAll",
} as const

/** Accepts argument names of other agents, and one flat replacement (contract C-01). */
function mapArguments(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = renamed(args, { ...pathNames, ...editNames })
  if (Array.isArray(plain["edits"])) {
    const edits = plain["edits"].map((item: unknown) => (isRecord(item) ? renamed(item, editNames) : item))
    return { ...plain, edits }
  }
  const { oldText, newText, replaceAll, ...rest } = plain
  if ("edits" in rest || (oldText === undefined && newText === undefined)) return plain
  const item = { oldText, newText, replaceAll }
  const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))
  return { ...rest, edits: [given] }
}
