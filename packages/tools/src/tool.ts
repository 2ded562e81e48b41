import type { Tool, ToolContext, ToolDeclaration, ToolResult } from "@gong/spec"

/** The declaration of a built-in tool. The name is lower case, as in rules. */
export interface OwnDeclaration extends ToolDeclaration {
  readonly name: string
}

/** A tool with typed arguments and details, as returned by its factory. */
export type ToolOf<Args, Details extends ToolResult["details"]> = Omit<Tool, "execute"> & {
  execute(callId: string, args: Args, context: ToolContext): Promise<ToolResult<Details | null>>
}

const TITLE_MAX_CHARS = 120

/** The first line of an argument, shown as a title. Empty if the argument is not a string. */
export function titleOf(value: unknown): string {
  if (typeof value !== "string") return ""
  const [line = "", ...others] = value.trim().split("\n")
  if (line.length > TITLE_MAX_CHARS) return `${line.slice(0, TITLE_MAX_CHARS - 3)}...`
  return others.length > 0 ? `${line} ...` : line
}

/** Renames arguments to their advertised names. An argument that already has the advertised name wins. */
export function renamed(
  args: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const plainOf = (name: string): string => (Object.hasOwn(names, name) ? (names[name] ?? name) : name)
  return Object.fromEntries(
    Object.entries(args)
      .map(([name, value]) => [name, plainOf(name), value] as const)
      .filter(([name, plain]) => plain === name || !Object.hasOwn(args, plain))
      .map(([, plain, value]) => [plain, value]),
  )
}

/** Parameters shared by several tools. */
export const folderParameter = { type: "string", description: "Directory, default the working directory" } as const

export function limitParameter<N extends number>(byDefault: N) {
  return { type: "integer", minimum: 1, description: `Default ${byDefault}` } as const
}

export const pathNames = { file_path: "path", filePath: "path", filename: "path" } as const

/** A text followed by its notifications in brackets. */
export function withNotifications(body: string, notices: readonly string[]): string {
  return notices.length === 0 ? body : `${body}\n\n[${notices.join(". ")}]`
}

/** A path on one line of a result. Newlines and control characters in names are escaped as in bash's `$'...'`. */
export function shownPath(path: string): string {
  return path.replace(/\p{Cc}/gu, (char) => named[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }
