import assert from "node:assert/strict"
import { test } from "node:test"
import { fitId, fitIds, ruleForOwn } from "../../../src/protocol/request/call-ids.ts"

const rule = { bad: /[^a-zA-Z0-9_-]/g, max: 12 }
const exact = { bad: /[^a-zA-Z0-9]/g, max: 9, exact: true }

test("a valid id is kept, up to its last letter; any other is converted deterministically", () => {
  const rows = [
    ["abcdefghijkl", "abcdefghijkl"],
    ["abcdefghijklm", "abc_3b8356e8"],
    ["a b", "a_b"],
    ["", "_811c9dc5"],
  ] as const
  for (const [id, fitted] of rows) assert.equal(fitId(id, rule), fitted, id)
  assert.equal(fitId("abcdefghi", exact), "abcdefghi")
  for (const id of ["abcdefgh", "abcdefghij", "abcdefgh-", "abcdefghi-"])
    assert.match(fitId(id, exact), /^x[\da-f]{8}$/, id)
})

test("an id of which only the beginning is sent is cut there, even if the beginning is empty", () => {
  const until = { ...rule, until: "|" }
  assert.deepEqual(
    ["call|fc", "call", "|fc", "call|"].map((id) => fitId(id, until)),
    ["call", "call", "_fc_0134364c", "call"],
  )
})

test("distinct ids stay distinct, and a valid one stays unchanged", () => {
  const fitted = fitIds(["a b", "a_b", "a b", "a.b"], rule)
  assert.equal(fitted.get("a_b"), "a_b")
  assert.equal(new Set(fitted.values()).size, 3)
  assert.deepEqual([fitted.get("a b"), fitted.get("a.b")], ["a_b_10a3f9f2", "a_b_108bf50c"])
  const long = "abcdefghijklm"
  const both = fitIds([long, fitId(long, rule)], rule)
  assert.equal(both.get(fitId(long, rule)), fitId(long, rule))
  assert.match(both.get(long) ?? "", /^abc_[\da-f]{8}$/)
  assert.equal(new Set(both.values()).size, 2)
})

test("the model's own ids may contain any character if the rule allows it, with the same maximum length", () => {
  assert.equal(fitId("functions.r:0", ruleForOwn({ ...rule, max: 13, anyOfOwn: true })), "functions.r:0")
  assert.equal(fitId("a:0", ruleForOwn({ ...rule, anyOfOwn: true })), "a:0")
  assert.equal(fitId("a:0", ruleForOwn(rule)), "a_0")
  assert.equal(fitId("functions.r:0", ruleForOwn({ ...rule, anyOfOwn: true })).length, 12)
})
