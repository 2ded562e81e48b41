import type { Clock } from "@gong/spec"
import { createRollingBuffer } from "./output/rolling-buffer.ts"

const EVERY_MS = 100
const MAX_BYTES = 16 * 1024

/** Reports new output at most ten times a second, and only its end. For display only. */
export function startProgress(clock: Clock, say: (delta: string) => void) {
  const fresh = createRollingBuffer(MAX_BYTES)
  let cancel: (() => void) | null = null
  const flush = () => {
    cancel?.()
    cancel = null
    if (fresh.total() === 0) return
    const delta = fresh.text()
    fresh.clear()
    say(delta)
  }
  return {
    add(bytes: Uint8Array) {
      fresh.add(bytes)
      cancel ??= clock.timer(EVERY_MS, flush)
    },
    /** Reports what is left and stops. */
    end: flush,
  }
}
