import assert from "node:assert/strict"
import { test } from "node:test"
import { shortId } from "../src/short-id.ts"

test("the short form is the end of the id: ids of one time begin alike; other ids are short already", () => {
  const id = "0198aaaa-1111-7000-8000-00000000cafe"
  assert.equal(shortId(id), "0000cafe")
  for (const other of ["s1", "work-0001", `x${id}`, `${id}x`, `${id}0`, id.toUpperCase()])
    assert.equal(shortId(other), other)
})
