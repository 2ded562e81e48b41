import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import { entryDifference, isCompared } from "../../../../src/commands/sessions/replay/compare.ts"
import { isExternal } from "../../../../src/commands/sessions/replay/plan.ts"

const entry = (fields: object) => fields as Entry

test("entries of a run are compared, except inputs, prompts, changes of commands and external entries", () => {
  const compared = (fields: object) => isCompared(entry(fields))
  for (const type of ["message", "tool_start", "run_end", "model_call", "compaction", "custom_message", "input_drop"])
    assert.equal(compared({ type }), true, type)
  for (const type of ["input", "prompt", "label", "session_info", "custom"])
    assert.equal(compared({ type }), false, type)
  assert.deepEqual([compared({ type: "change" }), compared({ type: "change", file: {} })], [true, false])
  assert.deepEqual(
    ["label", "session_info", "custom", "input", "message"].map((type) => isExternal(type as Entry["type"])),
    [true, true, true, false, false],
  )
})

test("volatile fields are not compared, and failures only by kind", () => {
  const path = (recorded: object, replayed: object) => entryDifference(entry(recorded), entry(replayed))?.path ?? null
  const own = "id parentId timestamp crc inputId draftId firstKeptEntryId upTo title durationMs firstTokenMs phrase"
  for (const name of own.split(" ")) {
    assert.equal(path({ type: "x", [name]: 1 }, { type: "x", [name]: 2 }), null, name)
    assert.equal(path({ message: { [name]: 1 } }, { message: { [name]: 2 } }), null, name)
    assert.equal(path({ type: "x", [name]: 1 }, { type: "x" }), null, name)
  }
  assert.equal(path({ type: "x" }, { type: "y" }), "type")
  assert.equal(path({ message: { role: "user" } }, { message: { role: "tool" } }), "message.role")
  assert.equal(path({ message: { a: 1 } }, {}), "message")
  const failed = (kind: string, message: string) => ({ failure: { kind, message } })
  assert.equal(path(failed("network", "a"), failed("network", "b")), null)
  assert.equal(path(failed("network", "a"), failed("auth", "a")), "failure")
  assert.equal(path(failed("network", "a"), {}), "failure")
})
