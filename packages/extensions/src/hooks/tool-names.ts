import { type ToolDeclaration, withDefaultPath } from "@gong/spec"

type Args = Readonly<Record<string, unknown>>

/** A call in the format of Claude Code. */
export interface ForeignCall {
  readonly tool_name: string
  readonly tool_input: Args
}

/** Names of a tool for matchers: its aliases and its own. */
export function matchedNames(tool: string, declared: ToolDeclaration | null): readonly string[] {
  return [...(declared?.aliases ?? []), tool]
}

/** `absolute` completes a path, since the format has absolute paths only. */
export function toForeign(
  tool: string,
  declared: ToolDeclaration | null,
  args: Args,
  absolute: (path: string) => string,
): ForeignCall {
  const [usual = tool] = matchedNames(tool, declared)
  const whole = wholePaths(declared, args, absolute)
  const { name = usual, input } = declared?.toHook?.(whole) ?? { input: whole }
  return { tool_name: name, tool_input: input }
}

/**
 * Maps arguments that a hook replaced back to Gong's names. The tools accept most alternative spellings themselves (contract
 * C-01); only arguments with another meaning are converted here.
 */
export function fromForeign(declared: ToolDeclaration | null, input: Args): Args {
  return declared?.fromHook?.(input) ?? input
}

function wholePaths(declared: ToolDeclaration | null, args: Args, absolute: (path: string) => string): Args {
  const { paths = [] } = withDefaultPath(declared)
  const held = new Set(paths.map(({ argument }) => argument))
  const whole = (value: unknown): unknown => (typeof value === "string" ? absolute(value) : value)
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (!held.has(name)) return [name, value]
      return [name, Array.isArray(value) ? value.map(whole) : whole(value)]
    }),
  )
}
