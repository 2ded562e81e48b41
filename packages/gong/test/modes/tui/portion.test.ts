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

test("a quick terminal gets all at once; a slow one a part, without what is below it, and more as it recovers", () => {
  const draw = terminal()
  const many = Array.from({ length: 100 }, () => block(99))
  assert.deepEqual(draw(many, 1), [100, 1])
  assert.deepEqual(draw(many, 60), [100, 1], "it was not known before")
  assert.deepEqual(draw(many, 60), [6, 0])
  assert.deepEqual(draw(many, 1), [6, 0])
  assert.deepEqual(draw(many, 1), [9, 0])
  for (let frames = 0; frames < 12; frames++) draw([], 1)
  assert.deepEqual(draw(many, 1), [100, 1])
})

test("a block that is larger than a part is drawn alone, and a state without blocks as it is", () => {
  const draw = terminal()
  draw([], 100)
  assert.deepEqual(draw([block(10_000), block(1)], 100), [1, 0])
  assert.deepEqual(draw([], 100), [0, 1])
})
