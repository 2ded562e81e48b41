/** A background command. */
export interface JobInfo {
  /** Counts from 1 within a session. */
  readonly number: number
  /** Its command, on one line for people. */
  readonly title: string
}

/** The background commands of one session. */
export interface Jobs {
  /** Oldest first. */
  running(): readonly JobInfo[]
  /** The end of its output, at most 8 KB, which stays for the model to read; null: there is no such job. */
  output(number: number): string | null
  /** Ends a job; resolves when it has ended. False: it is not running. */
  stop(number: number): Promise<boolean>
  /** Commands that calls wait for continue as jobs. Returns these. */
  background(): readonly JobInfo[]
  /**
   * Ends the jobs and all processes that commands left running, at the end of the session. Returns the jobs that ran. With
   * `keep` the jobs outlive this process.
   */
  end(options?: { readonly keep?: boolean }): Promise<readonly JobInfo[]>
}
