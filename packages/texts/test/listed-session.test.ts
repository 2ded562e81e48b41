import assert from "node:assert/strict"
import { test } from "node:test"
import { phrase } from "@gong/spec"
import { costText, minuteText, titleOf } from "../src/listed-session.ts"
import { spanText } from "../src/spans.ts"
import { titleText } from "../src/titles.ts"
import { english } from "../src/translator.ts"

test("a session has its name, or its title, or none, in at most 60 columns", () => {
  const shown = (name: string | null, title: string | null) => titleOf(english, { name, title } as never)
  assert.deepEqual([shown("n", "t"), shown(null, "t"), shown(null, null)], ["n", "t", "(empty)"])
  assert.equal(shown("x".repeat(60), null), "x".repeat(60))
  assert.equal(shown("x".repeat(61), null), `${"x".repeat(59)}…`)
})

test("a time is shown in UTC up to its minute", () => {
  assert.equal(minuteText(Date.UTC(2026, 0, 2, 3, 4, 59)), "2026-01-02 03:04")
})

test("small costs have four decimals, others two; costs without a price are marked", () => {
  for (const [cost, costCny, unpriced, text] of [
    [0, 0, 0, "$0"],
    [0, 0, 1, "$?"],
    [0.0123, 0, 0, "$0.0123"],
    [0.09999, 0, 0, "$0.1000"],
    [0.1, 0, 0, "$0.10"],
    [1.239, 0, 0, "$1.24"],
    [1.239, 0, 2, "$1.24+"],
    [0.011, 0.0741, 0, "¥0.0741 ($0.0110)"],
    [0.011, 0.1, 0, "¥0.10 ($0.0110)"],
    [2, 14.4, 1, "¥14.40 ($2.00+)"],
  ] as const)
    assert.equal(costText({ cost, costCny, unpriced }), text)
})

test("a title or a span is a phrase of Gong, or text that stays as it is", () => {
  assert.equal(spanText(english, { text: "own" }), "own")
  assert.equal(spanText(english, { text: "own", phrase: phrase`${3} lines` }), "3 lines")
  const call = { title: "as on the tape", args: { path: "a" } }
  assert.equal(titleText(english, null, call), "as on the tape")
  assert.equal(titleText(english, {} as never, call), "as on the tape")
  const declared = (own: (args: typeof call.args) => ReturnType<typeof phrase> | null) => ({ ownTitle: own }) as never
  assert.equal(
    titleText(
      english,
      declared(() => null),
      call,
    ),
    "as on the tape",
  )
  assert.equal(
    titleText(
      english,
      declared(({ path }) => phrase`look at ${path}`),
      call,
    ),
    "look at a",
  )
})
