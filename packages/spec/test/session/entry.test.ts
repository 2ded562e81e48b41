import assert from "node:assert/strict"
import { test } from "node:test"
import { hostOf, type NewEntry, syncTime, workspaceName } from "../../src/index.ts"

test("what the user said or what changes files is synced before the next step, the rest behind it or later", () => {
  for (const [type, expected] of [
    ["input", "before"],
    ["input_drop", "before"],
    ["change", "before"],
    ["compaction", "before"],
    ["anchor", "before"],
    ["run_end", "before"],
    ["message", "behind"],
    ["prompt", "later"],
    ["prune", "later"],
    ["model_call", "later"],
    ["thinking_level_change", "later"],
    ["model_change", "later"],
    ["branch_summary", "later"],
    ["custom", "later"],
    ["custom_message", "later"],
    ["label", "later"],
    ["session_info", "later"],
  ] as const)
    assert.equal(
      syncTime({ type } as NewEntry, () => false),
      expected,
      type,
    )
  const start = { type: "tool_start", callId: "c", name: "read", title: "" } as const
  assert.equal(
    syncTime(start, (tool) => tool === "read"),
    "later",
  )
  assert.equal(
    syncTime(start, (tool) => tool !== "read"),
    "before",
  )
})

test("a workspace of another machine has its host before it, one of this machine has none", () => {
  assert.deepEqual([hostOf({}), hostOf({ host: undefined }), hostOf({ host: "far" })], ["local", "local", "far"])
  assert.equal(workspaceName({ workspace: "/w" }), "/w")
  assert.equal(workspaceName({ workspace: "/w", host: "local" }), "/w")
  assert.equal(workspaceName({ workspace: "/w", host: "far" }), "far:/w")
})
