import type { Clock } from "@gong/spec"
import { truncateStringToBytesFromEnd } from "../truncate.ts"

const EVERY_MS = 100
const MAX_BYTES = 16 * 1024

/** New text, at most ten times a second and only the end of it: for eyes, not for the record. */
export function startProgress(clock: Clock, say: (delta: string) => void) {
  let text = ""
  let cancel: (() => void) | null = null
  const flush = () => {
    cancel?.()
    cancel = null
    if (text === "") return
    const delta = truncateStringToBytesFromEnd(text, MAX_BYTES)
    text = ""
    say(delta)
  }
  return {
    add(more: string) {
      text = text.length > MAX_BYTES ? more : text + more
      cancel ??= clock.timer(EVERY_MS, flush)
    },
    /** Says the rest, and nothing more. */
    end: flush,
  }
}
