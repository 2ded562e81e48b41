import { type HookForm, isRecord } from "@gong/spec"
import { withFilePath } from "../hook-form.ts"

type Args = Readonly<Record<string, unknown>>

/** In the hook format one replacement is flat; several belong to another tool. */
export function editForm({ edits, ...args }: Args): HookForm {
  const { input } = withFilePath(args)
  // An earlier hook may have returned the flat form.
  if (!Array.isArray(edits)) return { input }
  const list = edits.filter(isRecord).map(foreignEdit)
  return list.length === 1
    ? { input: { ...input, ...list[0] } }
    : { name: "MultiEdit", input: { ...input, edits: list } }
}

function foreignEdit({ oldText, newText, replaceAll }: Args): Args {
  return { old_string: oldText, new_string: newText, replace_all: replaceAll === true }
}
