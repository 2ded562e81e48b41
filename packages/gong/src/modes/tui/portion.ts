import type { Clock } from "@gong/spec"
import type { Block } from "@gong/screen/row"
import type { State } from "./state.ts"

/** Characters of one frame: at first, and the limits. */
const PORTION = 2_500
const PORTION_MIN = 600
const PORTION_MAX = 64_000
/** Milliseconds of a frame above which the next one gets less, and below which more. */
const LONG_MS = 8
const SHORT_MS = 4
/** A terminal that takes this long for a frame is slow: a write waits until the terminal has taken it. */
const SLOW_MS = 50

/** How much of the transcript one frame may have, so that keys are read between short frames, also where the terminal is slow. */
export function portions(clock: Clock) {
  let most = PORTION
  return {
    /**
     * Draws the state with the first of its blocks, and learns from the time that it takes. What is below all of them is left out
     * until they are drawn. Returns the number of drawn blocks.
     */
    draw(state: State, draw: (shown: State) => void): number {
      const { blocks } = state
      const count = countWithin(blocks, most)
      const isPart = count < blocks.length
      const before = clock.now()
      draw(isPart ? { ...state, blocks: blocks.slice(0, count), reply: () => [] } : state)
      const factor = factorOf(clock.now() - before)
      // What a frame with less would take is unknown.
      if (factor < 1 || isPart) most = Math.max(PORTION_MIN, Math.min(PORTION_MAX, most * factor))
      return count
    },
  }
}

function factorOf(ms: number): number {
  if (ms >= SLOW_MS) return 0
  if (ms > LONG_MS) return 0.5
  return ms < SHORT_MS ? 1.5 : 1
}

/** At least one. */
function countWithin(blocks: readonly Block[], most: number): number {
  let size = 0
  const over = blocks.findIndex(({ line }) => {
    size += line.reduce((sum, { text }) => sum + text.length, 1)
    return size > most
  })
  return over < 0 ? blocks.length : Math.max(1, over)
}
