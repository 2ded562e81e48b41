import type { Tool, ToolContext, ToolResult } from "@gong/spec"

/** A tool whose arguments and details are known: what a factory gives back. */
export type ToolOf<Args, Details extends ToolResult["details"]> = Omit<Tool, "execute"> & {
  execute(callId: string, args: Args, context: ToolContext): Promise<ToolResult<Details | null>>
}

const TITLE_MAX_CHARS = 120

/** The first line of an argument, for people; empty when the model sent something else. */
export function titleOf(value: unknown): string {
  if (typeof value !== "string") return ""
  const line = value.trimStart().split("\n", 1)[0] ?? ""
  return line.length > TITLE_MAX_CHARS ? `${line.slice(0, TITLE_MAX_CHARS - 3)}...` : line
}

/** Gives arguments their advertised names; a name that is there already wins. */
export function renamed(
  args: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    const plain = names[name] ?? name
    if (!(plain in args) || plain === name) out[plain] = value
  }
  return out
}

export const pathNames = { file_path: "path", filePath: "path", filename: "path" } as const
