import assert from "node:assert/strict"
import { test } from "node:test"
import { isOffered, permissionRequest, phrase } from "../../src/index.ts"

type Choices = Parameters<typeof isOffered>[0]["choices"]
const call = { tool: "bash", arguments: { command: "ls" }, title: "ls" } as const
const base = { id: "q1", tool: "bash", args: { command: "ls" }, title: "ls" }

test("a permission request has the fields of its call and decision, and no others", () => {
  const choices: Choices = ["once", "session", "no"]
  assert.deepEqual(permissionRequest(call, { verdict: "ask", reason: "why" }, "q1"), {
    ...base,
    reason: "why",
    choices,
  })
  const reason = phrase`because ${"x"}`
  assert.deepEqual(permissionRequest({ ...call, preview: null }, { verdict: "ask", reason }, "q1"), {
    ...base,
    reason: "because x",
    phrase: reason,
    choices,
  })
  const preview = { kind: "run", command: "ls", cwd: "/w" } as const
  assert.deepEqual(permissionRequest({ ...call, toolCallId: "c", preview }, { verdict: "ask", reason: "" }, "q1"), {
    ...base,
    toolCallId: "c",
    preview,
    reason: "",
    choices,
  })
})

test("a request to leave the sandbox says so", () => {
  const request = permissionRequest(call, { verdict: "ask", reason: "", unsandboxed: true }, "q1")
  assert.equal(request.unsandboxed, true)
})

test("always is offered for a call with a rule only, and a wider rule for the session or always only", () => {
  const rule = permissionRequest(
    call,
    { verdict: "ask", reason: "", rules: { suggestedRule: "bash(ls)", rulesFile: "/r" } },
    "q1",
  )
  assert.deepEqual(rule.choices, ["once", "session", "always", "no"])
  assert.deepEqual([rule.suggestedRule, rule.rulesFile], ["bash(ls)", "/r"])
  const narrow = { choices: ["once", "session", "no"] as Choices }
  for (const [choice, plain, wider] of [
    ["once", true, false],
    ["session", true, true],
    ["always", false, true],
    ["no", true, false],
  ] as const) {
    assert.equal(isOffered(narrow, { choice }), plain, choice)
    assert.equal(isOffered({ ...narrow, widerRule: "bash(l*)" }, { choice, wider: true }), wider, choice)
    assert.equal(isOffered(narrow, { choice, wider: true }), false, choice)
  }
})
