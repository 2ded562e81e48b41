/** Time as a port: the libraries never read the machine's clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back once after `ms`; the returned function cancels. Never keeps the process alive. */
  timer(ms: number, callback: () => void): () => void
}
