import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { accumulator, finalArguments, parse } from "../../../src/protocol/reply/partial-json.ts"
import { LiveArguments } from "../../../src/protocol/reply/live-arguments.ts"

test("[PJSON-001] complete JSON is parsed unchanged", () => {
  assert.deepEqual(parse('{"a":1}'), { status: "ok", value: { a: 1 } })
})

test("[PJSON-002] a truncated value is returned as far as it was received", () => {
  assert.deepEqual(parse('{"file":"/src/ma').value, { file: "/src/ma" })
})

test("[PJSON-003] [PJSON-S.1] fields so far, status partial", () => {
  assert.deepEqual(parse('{"a":1,"b":2'), { status: "partial", value: { a: 1, b: 2 } })
})

test("[PJSON-004] nested objects close in the right place", () => {
  assert.deepEqual(parse('{"a":{"b":1').value, { a: { b: 1 } })
})

test("[PJSON-005] an array keeps each element once", () => {
  assert.deepEqual(parse('{"items":[1,2,3').value, { items: [1, 2, 3] })
})

test("[PJSON-006] empty text is an empty object", () => {
  assert.deepEqual(parse(""), { status: "ok", value: {} })
})

test("[PJSON-007] three pieces form the whole", () => {
  const json = accumulator()
  json.add('{"a":')
  json.add('[1,{"b":"x')
  assert.deepEqual(json.add('y"}]}'), { status: "ok", value: { a: [1, { b: "xy" }] } })
})

test("[PJSON-008] a trailing comma is harmless", () => {
  assert.deepEqual(parse('{"a":1,').value, { a: 1 })
})

test("[PJSON-S.2] garbage is an error, without a throw", () => {
  assert.equal(parse("<<<").status, "error")
  assert.deepEqual(parse('{"a":1}x'), { status: "error", value: { a: 1 } })
})

test("[PJSON-S.3] the standard parser comes first, and its result counts", () => {
  assert.deepEqual(parse('{"a":1,"a":2}'), { status: "ok", value: { a: 2 } })
  assert.deepEqual(Object.keys(parse('{"__proto__":1}').value as object), ["__proto__"])
})

test("[PJSON-S.4] mixed nesting closes in stack order", () => {
  assert.deepEqual(parse('{"a":[{"b":"c').value, { a: [{ b: "c" }] })
})

test("[PJSON-S.5] a cut inside an escape does not throw", () => {
  assert.deepEqual(parse('{"k":"a\\').value, { k: "a" })
  assert.deepEqual(parse('{"k":"a\\u4f').value, { k: "a" })
  assert.equal(parse('{"a\\').status, "partial")
})

test("[PJSON-S.6] the path is present from the first frame on", () => {
  const json = accumulator()
  assert.deepEqual(json.add('{"path": "/sr').value, { path: "/sr" })
  assert.deepEqual(json.add('c/main.go", "con').value, { path: "/src/main.go" })
  assert.deepEqual(json.add('tent": "hello"}'), { status: "ok", value: { path: "/src/main.go", content: "hello" } })
})

test("[PJSON-S.7] a partial of arguments has partialArgs, invisible to JSON and copies", () => {
  const live = new LiveArguments()
  const partial = live.add(0, '{"path":"/a')
  assert.deepEqual(partial.partialArgs, { path: "/a" })
  assert.equal(JSON.stringify(partial), '{"type":"args","index":0,"delta":"{\\"path\\":\\"/a"}')
  assert.equal("partialArgs" in { ...partial }, false)
  assert.deepEqual(live.add(0, 'b"}').partialArgs, { path: "/ab" })
})

test("any JSON in any pieces equals JSON.parse, and never contains more than the final value", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (text, sizes) => {
      const json = accumulator()
      let last: unknown
      for (let at = 0; at < text.length;) {
        const size = sizes.next().value
        last = json.add(text.slice(at, at + size)).value
        at += size
      }
      assert.deepEqual(last, JSON.parse(text))
    }),
    { seed: 7, numRuns: 500 },
  )
})

test("any JSON one character at a time is never an error, and equals its truncated text", () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3 }), (value) => {
      const text = JSON.stringify(value)
      const json = accumulator()
      for (let at = 0; at < text.length; at++) {
        const step = json.add(text[at] ?? "")
        assert.notEqual(step.status, "error")
        assert.deepEqual(step.value, parse(text.slice(0, at + 1)).value)
      }
    }),
    { seed: 8, numRuns: 30 },
  )
})

test("input that JSON.parse rejects is never ok", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0aetn1-.\n ') }), (text) => {
      let valid = text.trim() === ""
      try {
        JSON.parse(text)
        valid = true
      } catch {}
      assert.equal(parse(text).status === "ok", valid, text)
      assert.equal(accumulator().add(text).status === "ok", valid, text)
    }),
    { seed: 9, numRuns: 3000 },
  )
})

test("final arguments: repaired only without guessing", () => {
  const repaired = (text: string) => {
    const read = finalArguments(text)
    return read.ok ? read.value : null
  }
  assert.deepEqual(repaired('{"a":1,}'), { a: 1 })
  assert.deepEqual(repaired('{"a":[1,2,]}'), { a: [1, 2] })
  assert.deepEqual(repaired('{"a":"x\n\ty"}'), { a: "x\n\ty" })
  assert.deepEqual(repaired('{"a":{"b":"c"'), { a: { b: "c" } })
  assert.deepEqual(repaired(""), {})
})

test("final arguments: half a command is not a command", () => {
  for (const text of [
    '{"command":"rm -rf /',
    '{"timeout":12',
    '{"a":',
    '{"a":1,',
    "[1]",
    '"x"',
    "{a:1}",
    '{"a":1}{"b":2}',
  ]) {
    assert.deepEqual(finalArguments(text), { ok: false }, text)
  }
})
