/** What was written, and how much of it is durable. Syncs run one at a time, each for all that was written before it began. */
export interface BackgroundSync {
  /** Something was written; `sync`: `settled` tells when it is durable. */
  wrote(sync: boolean): void
  /** All that was written is to become durable. */
  begin(): void
  /**
   * Null when nothing is open; rejects with what a sync failed with, and from then on always. `all`: of all that was written,
   * also without `sync`.
   */
  settled(scope?: "all"): Promise<void> | null
  /** All that was written was made durable by someone else. */
  madeDurable(): void
  /** Resolves when no sync is under way; null when none is. */
  idle(): Promise<void> | null
  /** How a sync failed: none is made after it. */
  readonly failure: { readonly error: unknown } | null
}

interface Waiting {
  readonly upTo: number
  resolve(): void
  reject(error: unknown): void
}

/** `sync` makes durable what is written when it is called. */
export function backgroundSync(sync: () => Promise<void>): BackgroundSync {
  let written = 0
  /** Writes that somebody waits for, and those that are to become durable at all. */
  let required = 0
  let wanted = 0
  let durable = 0
  let running: Promise<void> | null = null
  let failure: BackgroundSync["failure"] = null
  const waiting: Waiting[] = []

  function run(): void {
    if (running !== null || failure !== null || durable >= wanted) return
    const upTo = written
    running = sync().then(
      () => over(upTo),
      (error: unknown) => {
        failure = { error }
        over(durable)
      },
    )
  }

  function over(upTo: number): void {
    running = null
    durable = Math.max(durable, upTo)
    answer()
    run()
  }

  function answer(): void {
    for (const one of waiting.splice(0)) {
      if (failure !== null) one.reject(failure.error)
      else if (one.upTo <= durable) one.resolve()
      else waiting.push(one)
    }
  }

  async function resting(): Promise<void> {
    while (running !== null) await running
  }

  return {
    wrote(isRequired) {
      written += 1
      if (!isRequired) return
      required = wanted = written
      run()
    },
    begin() {
      wanted = written
      run()
    },
    settled(scope) {
      if (scope === "all") {
        required = wanted = written
        run()
      }
      if (failure !== null) return Promise.reject(failure.error)
      if (durable >= required) return null
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ upTo: required, resolve, reject })
      return promise
    },
    madeDurable() {
      // One that is under way may have been told how the disk failed: then its end decides.
      if (running === null) durable = written
      else wanted = written
    },
    idle: () => running && resting(),
    get failure() {
      return failure
    },
  }
}
