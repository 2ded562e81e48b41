import assert from "node:assert/strict"
import { test } from "node:test"
import { verdictOf } from "../../src/hooks/verdict.ts"

const nothing = { block: null, ask: null, context: null, input: null, stop: null, tell: null }

function pre(answer: object | string, code = 0) {
  const stdout = typeof answer === "string" ? answer : JSON.stringify(answer)
  return verdictOf("PreToolUse", { code, stdout, stderr: "" })
}

function decided(permissionDecision: string, more: object = {}) {
  return pre({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more } })
}

test("exit 0 is yes, 2 is no with the text of stderr, anything else is a failure of the hook", () => {
  assert.deepEqual(pre(""), nothing)
  assert.deepEqual(pre("some words that are no JSON"), nothing)
  assert.deepEqual(verdictOf("PreToolUse", { code: 2, stdout: "{}", stderr: "no" }), { ...nothing, block: "no" })
  assert.equal(verdictOf("Stop", { code: 2, stdout: "", stderr: "" }).block, "a hook said no.")
  const failed = () => verdictOf("PreToolUse", { code: 1, stdout: "", stderr: "jq: not found\nmore" })
  assert.throws(failed, /^Error: exit 1: jq: not found$/)
  assert.throws(() => pre("", 3), /^Error: exit 3$/)
  assert.deepEqual(pre({ decision: "", systemMessage: null }), nothing)
})

test("plain output is context at a prompt or a session start, and ignored elsewhere", () => {
  const printed = { code: 0, stdout: " the branch is main\n", stderr: "" }
  assert.equal(verdictOf("UserPromptSubmit", printed).context, "the branch is main")
  assert.equal(verdictOf("SessionStart", printed).context, "the branch is main")
  assert.deepEqual(verdictOf("PostToolUse", printed), nothing)
  assert.deepEqual(verdictOf("SessionStart", { ...printed, stdout: " \n" }), nothing)
})

test("decisions: the newer spelling and the older one", () => {
  assert.deepEqual(decided("allow"), nothing)
  assert.equal(decided("deny", { permissionDecisionReason: "why" }).block, "why")
  assert.equal(decided("ask", { permissionDecisionReason: "why" }).ask, "why")
  assert.equal(pre({ decision: "block", reason: "why" }).block, "why")
  assert.deepEqual(pre({ decision: "approve", reason: "fine" }), nothing)
  assert.deepEqual(decided("allow", { updatedInput: { command: "ls" } }).input, { command: "ls" })
  assert.equal(decided("allow", { additionalContext: "more" }).context, "more")
})

test("continue, stopReason and systemMessage", () => {
  assert.equal(pre({ continue: false, stopReason: "enough" }).stop, "enough")
  assert.equal(pre({ continue: false }).stop, "it gave no reason.")
  assert.deepEqual(pre({ continue: true, suppressOutput: true }), nothing)
  assert.equal(pre({ systemMessage: "look" }).tell, "look")
})

test("an invalid answer is a failure of the hook and decides nothing", () => {
  assert.throws(() => pre("{half"), /^Error: (?!its answer is ).*JSON/)
  const deep = `{"hookSpecificOutput": {"updatedInput": ${'{"a":'.repeat(3000)}1${"}".repeat(3002)}`
  assert.throws(() => pre(deep), /^Error: its answer is nested more than 500 levels deep$/)
  assert.throws(() => decided("maybe"), /unknown decision "maybe"/)
  assert.throws(() => pre({ decision: 5 }), /"decision" in its answer must be text/)
})

test("text for the model is bounded", () => {
  const long = verdictOf("PostToolUse", { code: 2, stdout: "", stderr: "x".repeat(20_000) }).block ?? ""
  assert.ok(long.length < 10_100)
  assert.match(long, /\[Cut after 10000 of 20000 characters\.\]$/)
})

test("a text of ten thousand characters for the model stays whole, a longer one is cut, from any source", () => {
  const [whole, long] = ["x".repeat(10_000), "x".repeat(10_001)]
  const cut = `${whole}\n[Cut after 10000 of 10001 characters.]`
  for (const [given, expected] of [
    [whole, whole],
    [long, cut],
  ] as const) {
    assert.equal(verdictOf("Stop", { code: 2, stdout: "", stderr: given }).block, expected)
    assert.equal(verdictOf("SessionStart", { code: 0, stdout: given, stderr: "" }).context, expected)
    assert.equal(decided("deny", { permissionDecisionReason: given }).block, expected)
    assert.equal(decided("allow", { additionalContext: given }).context, expected)
  }
})

test("of two forms the newer one counts, empty text is none, and null is absent", () => {
  const newer = { permissionDecision: "ask", permissionDecisionReason: "newer", additionalContext: "inside" }
  const both = pre({ decision: "block", reason: "older", additionalContext: "top", hookSpecificOutput: newer })
  assert.deepEqual(both, { ...nothing, ask: "newer", context: "inside" })
  assert.equal(pre({ additionalContext: "top" }).context, "top")
  assert.deepEqual(pre({ decision: null, reason: "", systemMessage: "" }), nothing)
  assert.deepEqual(pre({ decision: "block", reason: "" }), { ...nothing, block: "a hook said no." })
  assert.deepEqual(decided("ask"), { ...nothing, ask: "a hook wants you to decide" })
  assert.deepEqual(pre({ continue: false, reason: "why" }), { ...nothing, stop: "why" })
  assert.deepEqual(decided("allow", { updatedInput: ["ls"] }), nothing)
  assert.deepEqual(pre(" \n{} "), nothing)
  assert.deepEqual(pre({ hookSpecificOutput: "text" }), nothing)
})

test("a failure of a hook shows the first line of its errors, up to 300 characters, or its status alone", () => {
  const failed = (stderr: string) => () => verdictOf("Stop", { code: 3, stdout: "", stderr })
  assert.throws(failed(""), /^Error: exit 3$/)
  assert.throws(failed("x".repeat(300)), new RegExp(`^Error: exit 3: x{300}$`))
  assert.throws(failed("x".repeat(301)), new RegExp(`^Error: exit 3: x{300}$`))
  assert.throws(() => verdictOf("Stop", { code: null, stdout: "", stderr: "" }), /^Error: exit null$/)
})
