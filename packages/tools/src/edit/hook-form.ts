import { type HookForm, isRecord } from "@gong/spec"
import { withFilePath } from "../hook-form.ts"

type Args = Readonly<Record<string, unknown>>

/** One replacement stands flat among the arguments there, several are another tool. */
export function editForm({ edits, ...args }: Args): HookForm {
  const { input } = withFilePath(args)
  // A hook before this one may have put the format's own, flat form there.
  if (!Array.isArray(edits)) return { input }
  const list = edits.filter(isRecord).map(foreignEdit)
  return list.length === 1
    ? { input: { ...input, ...list[0] } }
    : { name: "MultiEdit", input: { ...input, edits: list } }
}

function foreignEdit({ oldText, newText, replaceAll }: Args): Args {
  return { old_string: oldText, new_string: newText, replace_all: replaceAll === true }
}
