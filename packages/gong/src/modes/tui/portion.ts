import type { Clock } from "@gong/spec"
import type { Block } from "@gong/screen/row"
import type { State } from "./state.ts"

/** Characters of one frame of a slow terminal, and the number above which there is no limit. */
const PORTION_MIN = 600
const PORTION_MAX = 64_000
/** A write to the terminal waits until the terminal has taken it. */
const SLOW_MS = 50

/** How much of the transcript one frame may have, so that a key is shown within a second where the terminal is slow. */
export function portions(clock: Clock) {
  let most = Infinity
  return {
    /**
     * Draws the state with the first of its blocks, and learns from the time that it takes. What is below all of them is left out
     * until they are drawn. Returns the number of drawn blocks.
     */
    draw(state: State, draw: (shown: State) => void): number {
      const { blocks } = state
      const count = most === Infinity ? blocks.length : countWithin(blocks, most)
      const before = clock.now()
      draw(count === blocks.length ? state : { ...state, blocks: blocks.slice(0, count), reply: () => [] })
      const isSlow = clock.now() - before >= SLOW_MS
      most = isSlow ? PORTION_MIN : most * 1.5
      if (most > PORTION_MAX) most = Infinity
      return count
    },
  }
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
