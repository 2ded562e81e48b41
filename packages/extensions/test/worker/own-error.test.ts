import assert from "node:assert/strict"
import { test } from "node:test"
import { phrase } from "@gong/spec"
import { must, ownError, phraseOf } from "../../src/worker/own-error.ts"

test("an error of Gong has its text in English and its phrase; any other value has none", () => {
  const text = phrase`no ${"x"}`
  const error = ownError(text)
  assert.deepEqual([error.message, phraseOf(error)], ["no x", text])
  for (const other of [new Error("no x"), {}, () => 1, null, undefined, "no x", 5, true, Symbol("a")])
    assert.equal(phraseOf(other), null)
})

test("a condition that does not hold is such an error", () => {
  must(true, phrase`never`)
  assert.throws(
    () => must(false, phrase`it must`),
    (error: unknown) => error instanceof Error && error.message === "it must" && phraseOf(error) !== null,
  )
})
