import assert from "node:assert/strict"
import { test } from "node:test"
import { failure } from "@gong/spec"
import { exitStatus } from "../../src/command-line/exit.ts"

test("exit statuses are those of the table", () => {
  assert.equal(exitStatus({ status: "done" }), 0)
  assert.equal(exitStatus({ status: "failed", failure: failure("auth", "401") }), 1)
  assert.equal(exitStatus({ status: "failed", failure: failure("bad-answer", "no fit") }), 5)
  assert.equal(exitStatus({ status: "limit" }), 3)
  assert.equal(exitStatus({ status: "refused" }), 4)
  assert.equal(exitStatus({ status: "interrupted" }), 130)
  assert.equal(exitStatus({ status: "interrupted" }, "hangup"), 129)
  assert.equal(exitStatus({ status: "interrupted" }, "broken-pipe"), 141)
  assert.equal(exitStatus({ status: "interrupted" }, "terminated"), 143)
})
