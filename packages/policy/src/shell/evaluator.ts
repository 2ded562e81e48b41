import type { State } from "./state.ts"
import type { Command, Script } from "./syntax.ts"
import type { Fields } from "./value.ts"

/** Receives the commands and output files of a script. */
export interface EvaluationObserver {
  /** A command with possible arguments, once per possibility, including nested commands. */
  command(argv: Fields, state: State, source: string): void
  /** A file that receives output. */
  written(path: string): void
}

/** Shared state of the evaluation. */
export interface Evaluator {
  readonly observer: EvaluationObserver
  /** Remaining number of commands. */
  commandsLeft: number
  /** A script was not read completely. */
  isIncomplete: boolean
  /** Content of files that hold command output, by name. */
  readonly files: Map<string, readonly string[]>
  /** Scripts that run at the exit of their shell. */
  readonly traps: { readonly script: string; readonly state: State }[]
  /** Arguments of the current script. */
  source: string
  /** These return the output. */
  script(text: string, state: State): readonly string[]
  parse(text: string): Script
  run(script: Script, state: State): readonly string[]
  command(command: Command, state: State): readonly string[]
}

/** Nesting depth of scripts and functions. */
export const maxDepth = 12
