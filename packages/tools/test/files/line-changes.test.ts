import assert from "node:assert/strict"
import { test } from "node:test"
import { agoText } from "../../src/files/ago.ts"
import { writeGuard } from "../../src/files/write-guard.ts"
import { countChanged, linesIn } from "../../src/files/line-changes.ts"

/** What remains of both after removing equal whole lines at the start, then at the end. */
function left(before: string, after: string): { added: number; removed: number } {
  const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const [old, now] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < old.length && old[head] === now[head]) head++
  const short = Math.min(old.length, now.length) - head
  let tail = 0
  while (tail < short && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  return { added: now.length - head - tail, removed: old.length - head - tail }
}

test("added and removed lines are those between the equal lines at both ends", () => {
  const lines = ["", "a\n", "b\n", "\n", "ab\n", "a"]
  const texts = lines.flatMap((one) => lines.flatMap((two) => lines.map((three) => one + two + three)))
  const some = texts.filter((_, at) => at % 5 === 0)
  for (const before of some)
    for (const after of some)
      assert.deepEqual(
        countChanged(Buffer.from(before), Buffer.from(after)),
        left(before, after),
        `${JSON.stringify(before)} ${JSON.stringify(after)}`,
      )
  assert.deepEqual(
    ["", "a", "a\n", "\n", "a\nb"].map((text) => linesIn(Buffer.from(text))),
    [0, 1, 1, 1, 2],
  )
})

test("elapsed time is given in the largest whole unit", () => {
  const rows = [
    [-5, "0 s ago"],
    [999, "0 s ago"],
    [1000, "1 s ago"],
    [59_999, "59 s ago"],
    [60_000, "1 min ago"],
    [3_599_999, "59 min ago"],
    [3_600_000, "1 hour ago"],
    [7_200_000, "2 hours ago"],
    [86_399_999, "23 hours ago"],
    [86_400_000, "1 day ago"],
    [172_800_000, "2 days ago"],
  ] as const
  for (const [ms, text] of rows) assert.equal(agoText(ms), text, String(ms))
})

test("a hundred refused writes are remembered, the oldest is dropped first, and a passed one is forgotten", () => {
  const refused = new Set<string>()
  const guard = writeGuard(refused)
  const found = { kind: "file", size: 1, mtimeMs: 0, ctimeMs: 0, mode: 0o644, links: 1, id: "a" } as const
  const file = { path: "/a", typed: "a", found, bytes: Buffer.from("x") }
  const seen = { files: new Map(), commands: [] }
  const write = (text: string) => guard.check(seen, file, { after: Buffer.from(text), now: 0 })
  for (let at = 0; at <= 100; at++) assert.throws(() => write(String(at)), /has not looked at it/)
  assert.equal(refused.size, 100)
  write("1")
  assert.throws(() => write("1"))
  assert.throws(() => write("0"), "it was the oldest")
  guard.check(undefined, file, { after: Buffer.from("y"), now: 0 })
  guard.check(seen, { ...file, bytes: Buffer.alloc(0) }, { after: Buffer.from("y"), now: 0 })
})
