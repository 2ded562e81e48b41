import assert from "node:assert/strict"
import { test } from "node:test"
import { inOrder } from "../../../src/modes/tui/in-order.ts"

test("functions run one after another, also after a rejection; queued ones are named", async () => {
  const waiting: (readonly string[])[] = []
  const run = inOrder((names) => void waiting.push(names))
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const work = (name: string, until: Promise<void>) =>
    run(name, async () => {
      log.push(`${name} begins`)
      await until
      log.push(`${name} ends`)
      return name
    })
  const first = work("a", gate.promise)
  const second = run("b", () => Promise.reject(new Error("no")))
  const third = work("c", Promise.resolve())
  await new Promise(setImmediate)
  assert.deepEqual([log, waiting], [["a begins"], [["b"], ["b", "c"]]])
  gate.resolve()
  await assert.rejects(second, /no/)
  assert.deepEqual(await Promise.all([first, third]), ["a", "c"])
  assert.deepEqual(log, ["a begins", "a ends", "c begins", "c ends"])
  assert.deepEqual(waiting.slice(2), [["c"], []])
  assert.equal(await work("d", Promise.resolve()), "d")
  assert.equal(waiting.length, 4, "nothing waits for nothing")
})
