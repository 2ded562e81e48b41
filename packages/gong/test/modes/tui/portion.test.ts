import assert from "node:assert/strict"
import { test } from "node:test"
import type { Clock } from "@gong/spec"
import type { Block } from "@gong/screen/row"
import { portions } from "../../../src/modes/tui/portion.ts"
import { initialState, type State } from "../../../src/modes/tui/state.ts"

const block = (length: number): Block => ({ line: [{ text: "x".repeat(length) }], whole: false })

/** Draws blocks on a terminal that takes so many milliseconds for a frame. */
function terminal() {
  let now = 0
  const portion = portions({ now: () => now } as Clock)
  return (blocks: readonly Block[], ms: number) => {
    const state: State = { ...initialState({ columns: 80, rows: 24 }, 0), blocks, reply: () => [block(1)] }
    let shown: State | null = null
    const count = portion.draw(state, (one) => {
      shown = one
      now += ms
    })
    const drawn = shown as State | null
    assert.equal(drawn?.blocks.length, count)
    return [count, drawn?.reply().length]
  }
}

test("a frame has as much as is drawn in a few milliseconds, without what is below it if that is a part", () => {
  const draw = terminal()
  const many = Array.from({ length: 1_000 }, () => block(99))
  assert.deepEqual(draw(many, 10), [25, 0])
  assert.deepEqual(draw(many, 5), [12, 0])
  assert.deepEqual(draw(many, 1), [12, 0])
  assert.deepEqual(draw(many, 1), [18, 0])
  for (let frames = 0; frames < 12; frames++) draw([block(1)], 1)
  assert.deepEqual(draw(many, 5), [28, 0], "small frames tell nothing of large ones")
  assert.deepEqual(draw(many.slice(0, 20), 1), [20, 1])
})

test("a slow terminal gets little at once; a block that is larger is drawn alone, a state without blocks as it is", () => {
  const draw = terminal()
  const many = Array.from({ length: 100 }, () => block(99))
  draw([], 100)
  assert.deepEqual(draw(many, 100), [6, 0])
  assert.deepEqual(draw([block(10_000), block(1)], 100), [1, 0])
  assert.deepEqual(draw([], 100), [0, 1])
})
