/** Tracks how many writes are durable. Syncs run one at a time, each for all writes before it began. */
export interface BackgroundSync {
  /** Records a write; `sync`: `settled` includes it. */
  wrote(sync: boolean): void
  /** Begins a sync of all writes. */
  begin(): void
  /**
   * Null when nothing is open; rejects with what a sync failed with, and from then on always. `all`: of all that was written,
   * also without `sync`.
   */
  settled(scope?: "all"): Promise<void> | null
  /** Records that all writes were made durable in another way. */
  madeDurable(): void
  /** Resolves when no sync is in progress; null when none is. */
  idle(): Promise<void> | null
  /** The error of a failed sync, after which no further sync is made. */
  readonly failure: { readonly error: unknown } | null
}

interface Waiting {
  readonly upTo: number
  resolve(): void
  reject(error: unknown): void
}

/** `sync` makes all writes before its call durable. */
export function backgroundSync(sync: () => Promise<void>): BackgroundSync {
  let written = 0
  /** The writes that `settled` waits for, and those for which a sync was requested. */
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
      // A sync in progress may fail for these writes: then its result decides.
      if (running === null) durable = written
      else wanted = written
    },
    idle: () => running && resting(),
    get failure() {
      return failure
    },
  }
}
