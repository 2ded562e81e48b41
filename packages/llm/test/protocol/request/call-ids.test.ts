import assert from "node:assert/strict"
import { test } from "node:test"
import { fitId, fitIds, ruleForOwn } from "../../../src/protocol/request/call-ids.ts"

const rule = { bad: /[^a-zA-Z0-9_-]/g, max: 12 }
const exact = { bad: /[^a-zA-Z0-9]/g, max: 9, exact: true }

test("an id that fits stays, up to its last letter, and any other is the same made one every time", () => {
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

test("where only the beginning of an id is sent, it is cut there, also where nothing stands before", () => {
  const until = { ...rule, until: "|" }
  assert.deepEqual(
    ["call|fc", "call", "|fc", "call|"].map((id) => fitId(id, until)),
    ["call", "call", "_fc_0134364c", "call"],
  )
})

test("two ids never become one, and one that fits keeps its own", () => {
  const fitted = fitIds(["a b", "a_b", "a b", "a.b"], rule)
  assert.equal(fitted.get("a_b"), "a_b")
  assert.equal(new Set(fitted.values()).size, 3)
  assert.match(fitted.get("a b") ?? "", /^a_b_[\da-f]{8}$/)
  const long = "abcdefghijklm"
  const both = fitIds([long, fitId(long, rule)], rule)
  assert.equal(both.get(fitId(long, rule)), fitId(long, rule))
  assert.match(both.get(long) ?? "", /^abc_[\da-f]{8}$/)
  assert.equal(new Set(both.values()).size, 2)
})

test("the model's own ids may hold any character only where the rule says so, and are no longer for that", () => {
  assert.equal(fitId("functions.r:0", ruleForOwn({ ...rule, max: 13, anyOfOwn: true })), "functions.r:0")
  assert.equal(fitId("a:0", ruleForOwn({ ...rule, anyOfOwn: true })), "a:0")
  assert.equal(fitId("a:0", ruleForOwn(rule)), "a_0")
  assert.equal(fitId("functions.r:0", ruleForOwn({ ...rule, anyOfOwn: true })).length, 12)
})
