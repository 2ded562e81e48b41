import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, phrase, englishOf } from "@gong/spec"
import { storageNotice } from "../../src/session/notices.ts"

test("what the disk refused is one sentence with what becomes of the session", () => {
  const doing = phrase`write the session`
  const notice = storageNotice(failure("storage", phrase`Cannot ${doing}: ${phrase`the disk is full`}.`))
  const rest = "the session goes on in memory, and nothing is changed until it can be written again"
  const text = `Cannot write the session: the disk is full; ${rest}`
  assert.ok("text" in notice && "phrase" in notice && notice.phrase)
  assert.deepEqual([notice.code, notice.level, notice.text], ["storage", "warn", text])
  assert.equal(englishOf(notice.phrase), text)
})
