import assert from "node:assert/strict"
import { test } from "node:test"
import { failure } from "@gong/spec"
import { storageNotice } from "../../src/session/notices.ts"

test("what the disk refused is one sentence with what becomes of the session", () => {
  const notice = storageNotice(failure("storage", "Cannot write the session: the disk is full."))
  const rest = "the session goes on in memory, and nothing is changed until it can be written again"
  const text = `Cannot write the session: the disk is full; ${rest}`
  assert.deepEqual(notice, { code: "storage", level: "warn", text })
})
