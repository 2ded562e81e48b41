import assert from "node:assert/strict"
import { test } from "node:test"
import { limitParameter, renamed, shownPath, titleOf, withNotifications } from "../src/tool.ts"

test("a title is the first non-blank line, with at most 120 characters", () => {
  assert.equal(titleOf(" \n  ls -l\nrm"), "ls -l ...")
  assert.equal(titleOf(" \n  ls -l\n"), "ls -l")
  assert.equal(titleOf("x".repeat(120)), "x".repeat(120))
  assert.equal(titleOf("x".repeat(121)), `${"x".repeat(117)}...`)
  for (const other of [undefined, null, 1, ["ls"], "", " \n "]) assert.equal(titleOf(other), "", String(other))
})

test("other argument names are accepted, unless the advertised one is present", () => {
  const names = { file_path: "path", filePath: "path" }
  assert.deepEqual(renamed({ file_path: "a", limit: 1 }, names), { path: "a", limit: 1 })
  assert.deepEqual(renamed({ file_path: "a", path: "b" }, names), { path: "b" })
  assert.deepEqual(renamed({ toString: 1 }, names), { toString: 1 })
})

test("remarks follow a text in brackets", () => {
  assert.equal(withNotifications("text", []), "text")
  assert.equal(withNotifications("text", ["One", "Two"]), "text\n\n[One. Two]")
  assert.equal(limitParameter(50).description, "Default 50")
  assert.equal(limitParameter(50).minimum, 1)
})

test("a control character in a path is shown in bash's notation", () => {
  assert.equal(shownPath("a\nb\rc\td\x01e\x7ff\x9fg ü"), "a\\nb\\rc\\td\\x01e\\x7ff\\x9fg ü")
})
