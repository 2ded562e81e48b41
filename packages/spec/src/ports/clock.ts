/** Time as a port: nothing in the middle rooms reads the machine's clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back once after `ms`; the returned function cancels. Never keeps a process alive by itself. */
  timer(ms: number, callback: () => void): () => void
}
