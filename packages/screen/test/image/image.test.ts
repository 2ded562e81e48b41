import assert from "node:assert/strict"
import { test } from "node:test"
import { cellsOf, imageBytes } from "../../src/image/image.ts"

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
