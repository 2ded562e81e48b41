/** A command that goes on in the background. */
export interface JobInfo {
  /** From 1, in a session. */
  readonly number: number
  /** Its command, in one line for people. */
  readonly title: string
}

/** What runs in the background of one session. */
export interface Jobs {
  /** Oldest first. */
  running(): readonly JobInfo[]
  /**
   * The end of the session: ends the jobs, and what commands have left running; gives the jobs that ran. With `keep` the
   * jobs go on without this process.
   */
  end(options?: { readonly keep?: boolean }): Promise<readonly JobInfo[]>
}
