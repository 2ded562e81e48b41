import { isRecord } from "@gong/spec"

type Args = Readonly<Record<string, unknown>>

/** A call as hooks in the format of Claude Code know it. */
export interface ForeignCall {
  readonly tool_name: string
  readonly tool_input: Args
}

const names: Readonly<Record<string, readonly string[]>> = {
  bash: ["Bash"],
  read: ["Read"],
  edit: ["Edit", "MultiEdit"],
  write: ["Write"],
  grep: ["Grep"],
  find: ["Glob"],
  ls: ["LS"],
  fetch: ["WebFetch"],
  todo: ["TodoWrite"],
  ask: ["AskUserQuestion"],
  task: ["Task"],
}

/** Names that a matcher may use for a tool: those of the format, and Gong's own. */
export function matchedNames(tool: string): readonly string[] {
  return [...(Object.hasOwn(names, tool) ? (names[tool] ?? []) : []), tool]
}

/** `absolute` makes a path whole: the format has whole paths only. */
export function toForeign(tool: string, args: Args, absolute: (path: string) => string): ForeignCall {
  const [name = tool] = matchedNames(tool)
  const { path, edits, timeout, ...rest } = args
  const whole = typeof path === "string" ? absolute(path) : path
  const file = path === undefined ? {} : { file_path: whole }
  switch (tool) {
    case "bash":
      return {
        tool_name: name,
        tool_input: { ...rest, ...(typeof timeout === "number" && { timeout: timeout * 1000 }) },
      }
    case "read":
    case "write":
      return { tool_name: name, tool_input: { ...file, ...rest } }
    case "edit": {
      // A hook before this one may have put the format's own, flat form there.
      if (!Array.isArray(edits)) return { tool_name: name, tool_input: { ...file, ...rest } }
      const list = edits.filter(isRecord).map(foreignEdit)
      const single = list.length === 1
      return {
        tool_name: single ? name : "MultiEdit",
        tool_input: { ...file, ...(single ? list[0] : { edits: list }), ...rest },
      }
    }
    default:
      return {
        tool_name: name,
        tool_input: { ...rest, ...(path !== undefined && { path: whole }), ...(timeout !== undefined && { timeout }) },
      }
  }
}

/**
 * Arguments that a hook put in place of a call's, with Gong's names. The tools take most other spellings themselves
 * (contract C-01); only what would mean something else is turned here.
 */
export function fromForeign(tool: string, input: Args): Args {
  const { timeout } = input
  return tool === "bash" && typeof timeout === "number" ? { ...input, timeout: Math.ceil(timeout / 1000) } : input
}

function foreignEdit({ oldText, newText, replaceAll }: Args): Args {
  return { old_string: oldText, new_string: newText, replace_all: replaceAll === true }
}
