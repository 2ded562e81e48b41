import assert from "node:assert/strict"
import { test } from "node:test"
import type { NewEntry, Step } from "@gong/spec"
import { prependEntries } from "../src/prepend-entries.ts"

const noted = (name: string): NewEntry => ({ type: "custom", customType: name, data: null })
const notification: Step = { notification: { code: "waiting", level: "info", text: "..." } }

async function* stepsOf(steps: readonly Step[], closed: string[] = []): AsyncGenerator<Step, string, undefined> {
  try {
    yield* steps
    return "end"
  } finally {
    closed.push("closed")
  }
}

test("entries are joined with the first step's entries, or precede it in a step of their own", async () => {
  const first = { entries: [noted("first")] }
  const second = { entries: [noted("second")] }
  const own = noted("own")
  for (const [steps, expected] of [
    [[], [{ entries: [own] }]],
    [[notification], [{ entries: [own] }, notification]],
    [
      [notification, second],
      [{ entries: [own] }, notification, second],
    ],
    [
      [first, notification, second],
      [{ entries: [own, noted("first")] }, notification, second],
    ],
  ] as const) {
    const seen: Step[] = []
    const joined = prependEntries([own], stepsOf(steps))
    for (;;) {
      const { value, done } = await joined.next()
      if (!done) {
        seen.push(value)
        continue
      }
      assert.equal(value, "end")
      break
    }
    assert.deepEqual(seen, expected)
  }
})

test("an early return also closes the steps", async () => {
  const closed: string[] = []
  const joined = prependEntries([], stepsOf([notification, notification], closed))
  await joined.next()
  await joined.return("left")
  assert.deepEqual(closed, ["closed"])
})
