import assert from "node:assert/strict"
import { test } from "node:test"
import { equalEnds, equalLines, isComparable } from "../../src/index.ts"

test("the equal lines at both ends are counted; none belongs to both", () => {
  for (const [all, start, end] of [
    [
      [
        ["a", "b", "c"],
        ["a", "x", "c"],
      ],
      1,
      1,
    ],
    [
      [
        ["a", "b"],
        ["a", "b"],
      ],
      2,
      0,
    ],
    [
      [
        ["a", "a"],
        ["a", "a", "a"],
      ],
      2,
      0,
    ],
    [
      [
        ["a", "b", "a"],
        ["a", "b", "b", "a"],
      ],
      2,
      1,
    ],
    [
      [
        ["x", "b"],
        ["a", "b"],
      ],
      0,
      1,
    ],
    [[["a"], ["b"]], 0, 0],
    [[[], ["a"]], 0, 0],
    [[["a", "b"], ["a"], ["a", "c"]], 1, 0],
    [
      [
        ["a", "z"],
        ["b", "z"],
        ["c", "y"],
      ],
      0,
      0,
    ],
    [[["a", "y", "z"], ["b", "y", "z"], ["z"]], 0, 1],
  ] as const)
    assert.deepEqual(equalEnds(all), { start, end }, JSON.stringify(all))
})

test("the lines at the beginning are counted up to the first that differs in any list", () => {
  const line = (lines: readonly string[], at: number) => lines[at]
  assert.equal(
    equalLines(
      [
        ["a", "b", "c"],
        ["a", "b"],
      ],
      line,
    ),
    2,
  )
  assert.equal(equalLines([["a", "b", "c"]], line), 3)
  assert.equal(equalLines([], line), 0)
})

test("texts with over a million pairs of equal lines are not compared", () => {
  const lines = (count: number) => Array.from({ length: count }, () => "a")
  assert.equal(isComparable(lines(1000), lines(1000)), true)
  assert.equal(isComparable(lines(1000), lines(1001)), false)
  assert.equal(isComparable([...lines(999), "b", "c"], [...lines(1001), "b"]), true)
  assert.equal(isComparable([...lines(999), "b", "c"], [...lines(1001), "b", "c"]), false)
  assert.equal(isComparable(lines(2_000_000), ["b"]), true)
})
