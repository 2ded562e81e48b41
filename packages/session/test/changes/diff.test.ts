import assert from "node:assert/strict"
import { test } from "node:test"
import { hunksOf } from "../../src/changes/diff.ts"

/** Like `patch` without tolerance: position, counts, context and removed lines must match exactly. */
function applied(old: readonly string[], hunks: readonly string[]): readonly string[] {
  const made: string[] = []
  let at = 0
  let expected: readonly number[] = [0, 0]
  let counted = [0, 0]
  for (const line of hunks) {
    const head = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line)?.slice(1).map(Number)
    if (head) {
      assert.deepEqual(counted, expected)
      const [from = 0, removed = 0, to = 0, added = 0] = head
      const start = removed === 0 ? from : from - 1
      made.push(...old.slice(at, start))
      at = start
      assert.equal(made.length, added === 0 ? to : to - 1)
      expected = [removed, added]
      counted = [0, 0]
      continue
    }
    if (line[0] !== "+") assert.equal(old[at++], line.slice(1))
    if (line[0] !== "-") made.push(line.slice(1))
    counted = [(counted[0] ?? 0) + Number(line[0] !== "+"), (counted[1] ?? 0) + Number(line[0] !== "-")]
  }
  assert.deepEqual(counted, expected)
  return [...made, ...old.slice(at)]
}

function hunks(old: readonly string[], young: readonly string[]): readonly string[] {
  const found = hunksOf(old, young)
  assert.ok(found !== null)
  return found
}

/** Numbers that are the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test("a diff makes of the old text exactly the new one: 500 random pairs", () => {
  for (let seed = 1; seed <= 500; seed++) {
    const roll = dice(seed)
    const old = Array.from({ length: roll(40) }, () => `line ${roll(12)}`)
    const young = [...old]
    for (let edit = roll(6); edit > 0; edit--) {
      const added = Array.from({ length: roll(3) }, () => `new ${roll(9)}`)
      young.splice(roll(young.length + 1), roll(3), ...added)
    }
    assert.deepEqual(applied(old, hunks(old, young)), young, `seed ${seed}`)
  }
})

test("three lines stay around a change, and changes that are near one another share a hunk", () => {
  const old = Array.from({ length: 30 }, (_, at) => `${at + 1}`)
  const young = old.with(9, "ten").with(15, "sixteen").with(28, "twenty-nine")
  assert.deepEqual(
    hunks(old, young).join("|"),
    [
      "@@ -7,13 +7,13 @@",
      " 7| 8| 9|-10|+ten| 11| 12| 13| 14| 15|-16|+sixteen| 17| 18| 19",
      "@@ -26,5 +26,5 @@",
      " 26| 27| 28|-29|+twenty-nine| 30",
    ].join("|"),
  )
  const near = (second: number) =>
    hunks(old, old.with(3, "four").with(second, "next")).filter((line) => line[0] === "@")
  assert.deepEqual(near(10), ["@@ -1,14 +1,14 @@"], "hunks that touch are one")
  assert.deepEqual(near(11), ["@@ -1,7 +1,7 @@", "@@ -9,7 +9,7 @@"])
  assert.deepEqual(hunks([], ["a"]), ["@@ -0,0 +1,1 @@", "+a"])
  assert.deepEqual(hunks(old, old), [])
})

test("lines of which thousands are alike on both sides are compared only as far as they differ; else that is refused", () => {
  const alike = (count: number) => Array<string>(count).fill("}")
  const long = [...alike(4_000), "x", ...alike(4_000)]
  assert.deepEqual(hunks(long, long.with(4_000, "y")).slice(1), [" }", " }", " }", "-x", "+y", " }", " }", " }"])
  assert.deepEqual(
    hunks(alike(6_000), alike(4_000)).slice(4),
    alike(2_000).map((line) => `-${line}`),
  )
  const between = (count: number, mark: string) => [mark, ...alike(count), mark]
  assert.ok(hunksOf(between(1_000, "a"), between(1_000, "b")) !== null)
  assert.equal(hunksOf(between(1_000, "a"), between(1_001, "b")), null)
})

test("hunks have three lines of context, and share one where these touch", () => {
  const old = Array.from({ length: 20 }, (_, at) => `${at}`)
  const heads = (young: readonly string[]) => hunksOf(old, young)?.filter((line) => line.startsWith("@"))
  for (const [young, expected] of [
    [old.with(0, "x"), ["@@ -1,4 +1,4 @@"]],
    [old.with(19, "x"), ["@@ -17,4 +17,4 @@"]],
    [old.with(5, "x"), ["@@ -3,7 +3,7 @@"]],
    [[...old, "x"], ["@@ -18,3 +18,4 @@"]],
    [["x", ...old], ["@@ -1,3 +1,4 @@"]],
    [old.toSpliced(5, 2), ["@@ -3,8 +3,6 @@"]],
    [old.toSpliced(2, 0, "x", "y").with(16, "z"), ["@@ -1,5 +1,7 @@", "@@ -12,7 +14,7 @@"]],
    [old.with(2, "x").with(9, "y"), ["@@ -1,13 +1,13 @@"]],
    [old.with(2, "x").with(10, "y"), ["@@ -1,6 +1,6 @@", "@@ -8,7 +8,7 @@"]],
    [[], ["@@ -1,20 +0,0 @@"]],
    [old, []],
  ] as const)
    assert.deepEqual(heads(young), expected, young.join(" "))
})
