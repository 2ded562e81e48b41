import type { Clock } from "@gong/spec"
import { createRollingBuffer } from "./output/rolling-buffer.ts"

const EVERY_MS = 100
const MAX_BYTES = 16 * 1024

/** New output, at most ten times a second and only the end of it: for eyes, not for the record. */
export function startProgress(clock: Clock, say: (delta: string) => void) {
  const fresh = createRollingBuffer(MAX_BYTES)
  let cancel: (() => void) | null = null
  const flush = () => {
    cancel?.()
    cancel = null
    if (fresh.total === 0) return
    const delta = fresh.text()
    fresh.clear()
    say(delta)
  }
  return {
    add(bytes: Uint8Array) {
      fresh.add(bytes)
      cancel ??= clock.timer(EVERY_MS, flush)
    },
    /** Says the rest, and nothing more. */
    end: flush,
  }
}
