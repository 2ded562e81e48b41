import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { isBelow, locationsIn, problemOf } from "../../src/worker/problem.ts"
import { maxProblem } from "../../src/protocol.ts"

test("the locations in a stack are its files and lines, innermost first", () => {
  const stack = [
    "Error: at /not/one",
    "    at f (/x/a.ts:3:4)",
    "    at file:///x/b%20c.mjs:5:6",
    "    at node:internal/x:1:1",
    "    at async /x/d.ts:7",
  ].join("\n")
  assert.deepEqual(locationsIn(stack), [
    { path: "/x/a.ts", line: 3 },
    { path: "/x/b c.mjs", line: 5 },
    { path: "/x/d.ts", line: 7 },
  ])
  assert.deepEqual(locationsIn(""), [])
  const below = [isBelow("/x/a", "/x"), isBelow("/x/a", "/x/"), isBelow("/xy/a", "/x"), isBelow("/x", "/x")]
  assert.deepEqual(below, [true, true, false, false])
})

test("an error is reported with its first location in the extension, its status and its code", () => {
  const error = Object.assign(new Error("boom"), {
    stack: "Error: boom\n    at f (/g/a.js:1:1)\n    at g (/x/b.ts:2:1)",
  })
  assert.deepEqual(problemOf(error, "/x"), { message: "boom", stack: error.stack, path: "/x/b.ts", line: 2 })
  assert.deepEqual(problemOf(error, null), { message: "boom", stack: error.stack, path: "/g/a.js", line: 1 })
  assert.deepEqual(problemOf(error, "/y"), { message: "boom", stack: error.stack, path: null, line: null })
  const signs = (more: object) => {
    const { status, code } = problemOf(Object.assign(new Error("x"), more), null)
    return [status ?? null, code ?? null]
  }
  assert.deepEqual(signs({ status: 500, statusCode: 400, code: "A" }), [500, "A"])
  assert.deepEqual(signs({ status: "500", statusCode: 400, cause: { code: "B" } }), [400, "B"])
  assert.deepEqual(signs({ code: 7, cause: { code: "x".repeat(100) } }), [null, "x".repeat(100)])
  assert.deepEqual(signs({ code: "x".repeat(101) }), [null, null])
})

test("a thrown value that is no error is reported as it is", () => {
  const texts = (thrown: unknown) => englishOf(problemOf(thrown, null).message)
  assert.deepEqual(
    [texts("words"), texts({ a: 1 }), texts(undefined), texts(new TypeError("")), texts(null)],
    ["words", 'it threw {"a":1}', "it threw undefined", "TypeError", "it threw null"],
  )
  const hostile = Object.defineProperty(new Error("x"), "message", {
    get() {
      throw new Error("no")
    },
  })
  assert.deepEqual(texts(hostile), "it threw something that cannot be read")
  const long = problemOf("x".repeat(maxProblem + 1), null)
  assert.deepEqual([englishOf(long.message).length, long.stack.length], [maxProblem, maxProblem])
})
