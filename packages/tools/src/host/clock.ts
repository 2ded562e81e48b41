import type { Clock } from "@gong/spec"

/** The machine's clock. Its timers never keep a process alive by themselves; a running command does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(handle)
        reject(signal?.reason)
      }
      const handle = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort)
        resolve()
      }, ms)
      signal?.addEventListener("abort", onAbort, { once: true })
    }),
  timer(ms, callback) {
    const handle = setTimeout(callback, ms)
    handle.unref()
    return () => clearTimeout(handle)
  },
}
