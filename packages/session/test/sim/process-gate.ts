/** The gate between a process and the outside: open, paused, or closed for good. */
export interface Gate {
  readonly alive: boolean
  readonly frozen: boolean
  /** Shut for good. */
  close(): void
  freeze(): void
  thaw(): void
  /** Runs the work now, or when the process continues; never for a dead process. */
  when(work: () => void): void
  /** Resolves when the process continues; never for a dead process. */
  open(): Promise<void>
  /** The call while the process is alive; afterwards it has no effect. */
  sync<A extends readonly unknown[], R>(call: (...args: A) => R): (...args: A) => R
  async<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R>
}

export function gateOf(): Gate {
  let alive = true
  let frozen = false
  const waiting: (() => void)[] = []
  const when = (work: () => void): void => {
    if (!alive) return
    if (frozen) waiting.push(work)
    else work()
  }
  const open = (): Promise<void> => new Promise((resolve) => when(resolve))
  return {
    get alive() {
      return alive
    },
    get frozen() {
      return frozen
    },
    close() {
      alive = false
      waiting.length = 0
    },
    freeze() {
      frozen = true
    },
    thaw() {
      frozen = false
      for (const work of waiting.splice(0)) if (alive) work()
    },
    when,
    open,
    sync:
      (call) =>
      (...args) => {
        if (!alive) throw Object.assign(new Error("EKILLED: the process is gone"), { code: "EKILLED" })
        if (frozen) throw new Error("a process that stands still called the disk: the simulator let it")
        return call(...args)
      },
    async:
      (call) =>
      async (...args) => {
        if (!alive) return new Promise(() => {})
        try {
          return await call(...args)
        } finally {
          await open()
        }
      },
  }
}
