export type Variables = Readonly<Record<string, string>>

/** Answer of git to a query that runs nothing. */
export interface GitOutput {
  readonly code: number
  readonly stdout: string
}

export interface ResolvedPath {
  readonly path: string
  readonly real: string
}

/** Facts about the machine for decisions about git commands. */
export interface GitFacts {
  readonly roots: readonly string[]
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path as the tool will use it, and its real path. Throws with the reason if there is none. */
  locate(typed: string): Promise<ResolvedPath>
  /** Real path of the program that the shell would start; null if there is none. */
  findProgram(name: string): Promise<string | null>
  /** Output of a git query in a folder, with additional variables; only for queries that run nothing. Null: no answer. */
  queryGit(folder: string, args: readonly string[], env: Variables): Promise<GitOutput | null>
}
