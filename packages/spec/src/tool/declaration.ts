import type { FileChange, ToolStatus } from "../model/message.ts"
import type { Phrase } from "../text/phrase.ts"
import type { RenderContext, RenderedLine, RenderedResult, Span } from "./render.ts"

type Args = Readonly<Record<string, unknown>>

/** The resource that a call acts on outside its session: nothing, files, commands, the network. */
export const toolEffects = ["none", "read", "write", "execute", "network"] as const
export type ToolEffect = (typeof toolEffects)[number]

/** `file`: one file. `folder`: a directory listing. `tree`: a file, or the contents of all files below a directory. */
export const pathKinds = ["file", "folder", "tree"] as const

/** An argument that holds a path, or a list of paths. */
export interface PathArgument {
  readonly argument: string
  readonly holds: (typeof pathKinds)[number]
}

/**
 * Describes a tool to policy, hooks, compaction, undo and frontends, which never compare tool names: plain data and
 * pure functions. Policy trusts only the declarations of built-in tools (docs/decisions/tools-declare.md).
 */
export interface ToolDeclaration {
  /** Absent: unknown, so each call needs permission. */
  readonly effect?: ToolEffect
  /** Each is checked for the effect `read` or `write`. A missing one means the working directory. */
  readonly paths?: readonly PathArgument[]
  /** For `execute`: the argument with the shell command. A call without it starts nothing. */
  readonly command?: string
  /** For `network`: the argument with the URL. */
  readonly address?: string
  /**
   * For calls to a server: the called tool, as `server__tool`, which the rule `mcp(server__tool)` names; null: this call
   * reaches no server.
   */
  readonly serverTool?: (args: Args) => string | null
  /** The tool records each change with `context.record` before it makes it; until then it only reads. */
  readonly recordsChanges?: boolean
  /** Works only in an interactive session. */
  readonly needsUser?: boolean
  /** Its calls run in a session of their own, whose steps are shown before the result. */
  readonly startsSession?: boolean
  /** Other names that a hook matcher may use; the first is its name in Claude Code's format. */
  readonly aliases?: readonly string[]
  /** The call in Claude Code's format, with absolute paths. Default: the first alias and the unchanged arguments. */
  readonly toHook?: (args: Args) => HookForm
  /** Converts arguments that a hook returned and whose meaning differs; names are mapped by `mapArguments`. */
  readonly fromHook?: (input: Args) => Args
  /** The title of a call where it is a text of Gong's own; null: it consists of arguments. Arguments may be invalid. */
  readonly ownTitle?: (args: Args) => Phrase | null
  /** The outcome of a call in a few words; empty text for nothing. Default: the number of lines. */
  readonly summary?: (result: SummarizedResult) => Span
  /** The result as lines. Default: the first lines of its text. */
  readonly render?: (result: RenderedResult, context: RenderContext) => readonly RenderedLine[]
}

export interface HookForm {
  /** Default: the first alias. */
  readonly name?: string
  readonly input: Args
}

export interface SummarizedResult extends Omit<RenderedResult, "isError"> {
  readonly status: ToolStatus
  readonly files?: readonly FileChange[]
}

/** Finds the declaration of a tool by name; null for an unknown name. */
export type Declarations = (tool: string) => ToolDeclaration | null

/** A path argument of a call, as typed. */
export interface NamedPath {
  readonly path: string
  readonly holds: PathArgument["holds"]
}

/** The path arguments of a call, in the order of the declaration; values that are not text are skipped. */
export function pathsOf({ paths = [] }: ToolDeclaration, args: Args): readonly NamedPath[] {
  return paths.flatMap(({ argument, holds }) => {
    const value: unknown = Object.hasOwn(args, argument) ? args[argument] : undefined
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.flatMap((path) => (typeof path === "string" ? [{ path, holds }] : []))
  })
}

/** Files that a call reads or changes by name; files of a search are not included. */
export function filesOf(declared: ToolDeclaration, args: Args): readonly string[] {
  if (declared.effect !== "read" && declared.effect !== "write") return []
  return pathsOf(declared, args).flatMap(({ path, holds }) => (holds === "file" ? [path] : []))
}

/** Whether calls may change files without recording the changes themselves. */
export function changesUnrecorded({ effect, recordsChanges }: ToolDeclaration): boolean {
  return effect === "execute" || (effect === "write" && recordsChanges !== true)
}

/** The path argument of a tool that declares none. */
const defaultPath: readonly PathArgument[] = [{ argument: "path", holds: "folder" }]

/** The declaration with a default path argument where it has none; only for uses that grant nothing. */
export function withDefaultPath(declared: ToolDeclaration | null): ToolDeclaration {
  return { ...declared, paths: declared?.paths ?? defaultPath }
}
