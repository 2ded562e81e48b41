/** A small repository with a planted fault, and the proof that it is repaired. */
export interface Task {
  readonly id: string
  /** The instruction for the agent: one sentence. */
  readonly prompt: string
  /** The repository by path. */
  readonly files: Readonly<Record<string, string>>
  /**
   * The source of a module that runs outside of the workspace and throws unless the fault is repaired. `load(PATH)` imports a
   * module of the workspace, `text(PATH)` reads a file, `run(...ARGS)` runs Node in it and returns its output; `assert` is
   * node:assert/strict.
   */
  readonly check: string
  /** The changed files of a reference repair. */
  readonly repair: Readonly<Record<string, string>>
}
