import type { FileChange, ToolStatus } from "./message.ts"
import type { RenderContext, RenderedLine, RenderedResult, Span } from "./render.ts"

type Args = Readonly<Record<string, unknown>>

/** What a call acts on outside of its session: nothing, files, commands, an address. */
export const toolEffects = ["none", "read", "write", "execute", "network"] as const
export type ToolEffect = (typeof toolEffects)[number]

/** `file`: one file. `folder`: a folder, of which names are shown. `tree`: a file, or a folder with the text of all files in it. */
export const pathKinds = ["file", "folder", "tree"] as const

/** An argument that holds a path, or a list of paths. */
export interface PathArgument {
  readonly argument: string
  readonly holds: (typeof pathKinds)[number]
}

/**
 * What a tool says of itself to policy, hooks, compaction, undo and frontends, which know no tool by its name: plain data and
 * pure functions. Policy believes only the declarations of Gong's own tools (docs/decisions/tools-declare.md).
 */
export interface ToolDeclaration {
  /** Absent: unknown, and each call is asked about. */
  readonly effect?: ToolEffect
  /** Each is judged, by the effect `read` or `write`; one that is missing in a call means the working directory. */
  readonly paths?: readonly PathArgument[]
  /** The argument with the text for a shell, for `execute`; a call without it starts nothing. */
  readonly command?: string
  /** The argument with an address, for `network`. */
  readonly address?: string
  /** Puts its changes on the tape by `context.record` before it makes them; until then it only looks. */
  readonly recordsChanges?: boolean
  /** Works only where somebody is there who answers. */
  readonly needsUser?: boolean
  /** Its calls are done by a session of their own, whose steps are shown before the result. */
  readonly startsSession?: boolean
  /** Other names that a matcher of a hook may use; the first is its name in the format of Claude Code. */
  readonly aliases?: readonly string[]
  /** The call in that format. The paths are absolute already. Default: the first alias, the arguments as they are. */
  readonly toHook?: (args: Args) => HookForm
  /** Arguments that a hook gives back, where their meaning is another one; names are mapped by `mapArguments`. */
  readonly fromHook?: (input: Args) => Args
  /** Titles in words of Gong's own, with `{0}` for a number: they can be translated. */
  readonly titles?: readonly string[]
  /** What came of a call in a few words; its text is empty when there is nothing to say. Default: the number of lines. */
  readonly summary?: (result: SummarizedResult) => Span
  /** The result as lines. Default: its text, cut to the first lines. */
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

/** Finds the declaration of a tool by its name; null for a name that nobody has. */
export type Declarations = (tool: string) => ToolDeclaration | null

/** A path of a call, as it was typed. */
export interface NamedPath {
  readonly path: string
  readonly holds: PathArgument["holds"]
}

/** The paths that a call names, in the order of the declaration; what is no text is left out. */
export function pathsOf({ paths = [] }: ToolDeclaration, args: Args): readonly NamedPath[] {
  return paths.flatMap(({ argument, holds }) => {
    const value: unknown = Object.hasOwn(args, argument) ? args[argument] : undefined
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.flatMap((path) => (typeof path === "string" ? [{ path, holds }] : []))
  })
}

/** Files that a call reads or changes by name; those of a search are not among them. */
export function filesOf(declared: ToolDeclaration, args: Args): readonly string[] {
  if (declared.effect !== "read" && declared.effect !== "write") return []
  return pathsOf(declared, args).flatMap(({ path, holds }) => (holds === "file" ? [path] : []))
}

/** Whether calls may change files of which they put nothing on the tape themselves. */
export function changesUnrecorded({ effect, recordsChanges }: ToolDeclaration): boolean {
  return effect === "execute" || (effect === "write" && recordsChanges !== true)
}

/** A path argument of a tool that declares none. */
const usualPath: readonly PathArgument[] = [{ argument: "path", holds: "folder" }]

/** The declaration with the path argument that most tools have, where none is declared: for uses that allow nothing. */
export function withDefaultPath(declared: ToolDeclaration | null): ToolDeclaration {
  return { ...declared, paths: declared?.paths ?? usualPath }
}
