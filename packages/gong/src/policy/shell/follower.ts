import type { State } from "./state.ts"
import type { Command, Script } from "./syntax.ts"
import type { Fields } from "./value.ts"

/** Who looks at what a script runs. */
export interface Watcher {
  /** A command with its arguments, as it may come to run; one time for each way. Those that a command runs come too. */
  command(argv: Fields, state: State, source: string): void
  /** A file that output goes to. */
  written(path: string): void
}

/** All that the parts of this machine share. */
export interface Follower {
  readonly watcher: Watcher
  /** Commands that may still be run. */
  left: number
  /** A script was not read to its end. */
  skipped: boolean
  /** What files that are outputs of commands hold, by their names. */
  readonly files: Map<string, readonly string[]>
  /** Scripts that run when their shell ends. */
  readonly traps: { readonly script: string; readonly state: State }[]
  /** The words of the script that runs now. */
  source: string
  /** These give what is printed. */
  script(text: string, state: State): readonly string[]
  read(text: string): Script
  run(script: Script, state: State): readonly string[]
  command(command: Command, state: State): readonly string[]
}

/** Scripts and functions inside one another. */
export const maxDepth = 12
