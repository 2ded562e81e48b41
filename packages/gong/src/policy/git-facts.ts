export type Variables = Readonly<Record<string, string>>

/** What git said to a question that runs nothing. */
export interface GitAnswer {
  readonly code: number
  readonly stdout: string
}

export interface Located {
  readonly path: string
  readonly real: string
}

/** What is known of a machine to judge what git would do there. */
export interface GitFacts {
  readonly roots: readonly string[]
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path that a tool will use for what the model wrote, and the real one. Throws with the reason when there is none. */
  locate(typed: string): Promise<Located>
  /** Where the shell would find this program: its real path; null where it would not. */
  findProgram(name: string): Promise<string | null>
  /** What git says in a folder, with these variables on top of those of commands: only questions that run nothing. Null: no answer. */
  askGit(folder: string, args: readonly string[], env: Variables): Promise<GitAnswer | null>
}
