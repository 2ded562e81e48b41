import assert from "node:assert/strict"
import { test } from "node:test"
import { type History, makeHistory, wrongIn } from "./run.ts"

test("8 processes that open, append, fork, die and close on one tape: nothing promised is lost, doubled, reordered or hidden", async () => {
  const history = await makeHistory({ processes: 8, rounds: 12, seed: 7 })
  assert.deepEqual(wrongIn(history), [])
  const promised = history.acknowledged.flat().length
  assert.ok(promised > 20 && history.refused > 0, `${promised} promised, ${history.refused} refused`)
})

const head = (id: string, parentId: string | null) => ({ id, parentId, type: "custom" })

const right: History = {
  acknowledged: [["a", "c"], ["b"]],
  heads: [head("r", null), head("a", "r"), head("b", "a"), head("c", "b")],
  damaged: 0,
  broken: [],
  killed: 0,
  refused: 0,
  forked: 0,
}

const wrongs: readonly { name: string; history: History; says: RegExp }[] = [
  { name: "lost", history: { ...right, acknowledged: [["a", "x"]] }, says: /x is lost/ },
  { name: "doubled", history: { ...right, heads: [...right.heads, head("c", "c")] }, says: /c is there twice/ },
  { name: "reordered", history: { ...right, acknowledged: [["c", "a"]] }, says: /a stands before/ },
  { name: "hidden", history: { ...right, heads: [...right.heads, head("d", "a")] }, says: /d does not follow/ },
  { name: "damaged", history: { ...right, damaged: 1 }, says: /1 damaged/ },
]

for (const { name, history, says } of wrongs) {
  test(`the checker of histories finds an entry that is ${name}`, () => {
    assert.deepEqual(wrongIn(right), [])
    assert.match(wrongIn(history).join("\n"), says)
  })
}
