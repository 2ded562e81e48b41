import assert from "node:assert/strict"
import { test } from "node:test"
import { cellsOf, imageBytes, isShown } from "../../src/image/image.ts"

test("an image keeps its proportions in cells, is never enlarged, and takes at most half of the screen", () => {
  const screen = { columns: 80, rows: 24 }
  assert.deepEqual(cellsOf({ width: 640, height: 480 }, screen), { columns: 32, rows: 12 })
  assert.deepEqual(cellsOf({ width: 100, height: 40 }, screen), { columns: 10, rows: 2 })
  assert.deepEqual(cellsOf({ width: 1, height: 1 }, screen), { columns: 1, rows: 1 })
  assert.deepEqual(cellsOf({ width: 4_000, height: 100 }, screen), { columns: 76, rows: 1 })
  assert.deepEqual(cellsOf({ width: 4_000, height: 4_000 }, { columns: 300, rows: 100 }), { columns: 40, rows: 20 })
  assert.deepEqual(cellsOf({ width: 400, height: 400 }, { columns: 2, rows: 1 }), { columns: 1, rows: 1 })
})

test("the parts of an image for kitty hold all of its data, and all but the last say that more follows", () => {
  const data = "abcd".repeat(5_000)
  const bytes = imageBytes({ protocol: "kitty", data, columns: 3, rows: 2 })
  // oxlint-disable-next-line no-control-regex
  const parts = [...bytes.matchAll(/\u001b_G([^;]*);([^\u001b]*)\u001b\\/g)]
  assert.equal(parts.map(([, , part]) => part).join(""), data)
  assert.equal(parts[0]?.[1], "a=T,f=100,q=2,C=1,c=3,r=2,m=1")
  assert.deepEqual(
    parts.slice(1).map(([, keys]) => keys),
    ["m=1", "m=1", "m=1", "m=0"],
  )
})

test("an image is at most 80 columns and 20 rows, with a margin of two columns, and rounded to whole cells", () => {
  for (const [width, height, columns, rows, cells] of [
    [10_000, 10, 200, 100, [80, 1]],
    [10, 10_000, 200, 100, [1, 20]],
    [800, 400, 200, 100, [80, 20]],
    [810, 400, 200, 100, [80, 20]],
    [800, 400, 84, 100, [80, 20]],
    [800, 400, 44, 100, [40, 10]],
    [800, 400, 200, 21, [40, 10]],
    [800, 400, 200, 20, [40, 10]],
    [800, 400, 4, 100, [1, 1]],
    [14, 29, 200, 100, [1, 1]],
    [15, 30, 200, 100, [2, 2]],
  ] as const)
    assert.deepEqual(
      cellsOf({ width, height }, { columns, rows }),
      { columns: cells[0], rows: cells[1] },
      JSON.stringify([width, height, columns, rows]),
    )
})

test("kitty shows PNG only, iTerm2 all images", () => {
  assert.deepEqual(
    (["kitty", "iterm"] as const).map((protocol) => ["image/png", "image/jpeg"].map((type) => isShown(protocol, type))),
    [
      [true, false],
      [true, true],
    ],
  )
})

test("small images are one part, those of iTerm2 one sequence with their cells", () => {
  assert.equal(
    imageBytes({ protocol: "kitty", data: "AAAA", columns: 3, rows: 2 }),
    "\u001b_Ga=T,f=100,q=2,C=1,c=3,r=2,m=0;AAAA\u001b\\",
  )
  assert.equal(
    imageBytes({ protocol: "kitty", data: "x".repeat(4_096), columns: 1, rows: 1 }).split("\u001b_G").length,
    2,
  )
  assert.equal(
    imageBytes({ protocol: "kitty", data: "x".repeat(4_097), columns: 1, rows: 1 }).split("\u001b_G").length,
    3,
  )
  assert.equal(imageBytes({ protocol: "kitty", data: "", columns: 1, rows: 1 }), "")
  assert.equal(
    imageBytes({ protocol: "iterm", data: "AAAA", columns: 3, rows: 2 }),
    "\u001b7\u001b]1337;File=inline=1;width=3;height=2;preserveAspectRatio=1;doNotMoveCursor=1:AAAA\u0007\u001b8",
  )
})
