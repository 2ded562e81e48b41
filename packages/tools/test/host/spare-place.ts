import type { Host } from "@gong/spec"

/** A host that tells of the sandboxes that were begun at it before their command was known. */
export interface Spied {
  readonly host: Host
  /** Resolves when one waits. */
  waits(): Promise<void>
  /** Resolves when the next one is given a command. */
  given(): Promise<void>
  /** How many were given a command. */
  readonly used: number
  /** The first process inside the newest; null when it was not told yet. */
  readonly pid: number | null
}

/** `give`: what one reads instead of its words. */
export function spyOnSpares(host: Host, give: (words: string) => string | Promise<string> = (words) => words): Spied {
  let waiting = Promise.withResolvers<void>()
  let giving = Promise.withResolvers<void>()
  let used = 0
  let status = ""
  return {
    host: {
      ...host,
      exec(command, options) {
        if (typeof options.input !== "object") return host.exec(command, options)
        status = ""
        const silent = new Set(["stdout", "status"])
        let waits = true
        const hears = (what: string) => {
          // One that was ended before it waited says so late, and speaks for no other.
          if (silent.delete(what) && silent.size === 0 && waits) waiting.resolve()
        }
        return host.exec(command, {
          ...options,
          input: options.input.then((words) => {
            waits = false
            waiting = Promise.withResolvers<void>()
            if (words === "") return words
            used++
            giving.resolve()
            giving = Promise.withResolvers<void>()
            return give(words)
          }),
          onData(bytes, stream) {
            options.onData(bytes, stream)
            hears(stream)
          },
          onStatus(bytes) {
            options.onStatus?.(bytes)
            status += Buffer.from(bytes).toString()
            hears("status")
          },
        })
      },
    },
    waits: () => waiting.promise,
    given: () => giving.promise,
    get used() {
      return used
    },
    get pid() {
      const [, pid] = /"child-pid": (\d+)/.exec(status) ?? []
      return pid === undefined ? null : Number(pid)
    },
  }
}
