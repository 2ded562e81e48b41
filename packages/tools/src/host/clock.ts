import type { Clock } from "@gong/spec"

/** The system clock. Its timers do not keep the process alive; a running command does. */
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
