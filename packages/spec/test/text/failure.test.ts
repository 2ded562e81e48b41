import assert from "node:assert/strict"
import { test } from "node:test"
import {
  clauseOf,
  diagnosticText,
  englishOf,
  failure,
  FailureError,
  failureOf,
  firstOfEachName,
  messageOf,
  phrase,
  sentence,
  textNotification,
  userCommandText,
  withStrings,
} from "../../src/index.ts"

test("only failures that may pass by themselves are retryable, unless it is said", () => {
  const kinds = [
    ["rate-limit", true],
    ["overloaded", true],
    ["network", true],
    ["stalled", true],
    ["bad-reply", true],
    ["auth", false],
    ["quota", false],
    ["context-overflow", false],
    ["bad-request", false],
    ["aborted", false],
    ["internal", false],
  ] as const
  for (const [kind, retryable] of kinds) assert.equal(failure(kind, "x").retryable, retryable, kind)
  assert.equal(failure("network", "x", { retryable: false }).retryable, false)
})

test("a failure keeps the phrases of its texts, and plain texts as they are", () => {
  const message = phrase`no ${"file"}`
  const hint = phrase`Create ${"it"}.`
  const head = { kind: "denied", retryable: false }
  assert.deepEqual(failure("denied", "a"), { ...head, message: "a" })
  assert.deepEqual(failure("denied", "a", { hint: "b" }), { ...head, message: "a", hint: "b" })
  assert.deepEqual(failure("denied", message), { ...head, message: "no file", phrases: { message } })
  assert.deepEqual(failure("denied", "a", { hint }), { ...head, message: "a", hint: "Create it.", phrases: { hint } })
  assert.deepEqual(failure("denied", message, { hint, status: 403 }), {
    ...head,
    status: 403,
    message: "no file",
    hint: "Create it.",
    phrases: { message, hint },
  })
  assert.equal(messageOf(failure("denied", message)), message)
  assert.equal(messageOf(failure("denied", "a")), "a")
})

test("what was thrown becomes a failure: its own, a stop, or an internal error with its cause", () => {
  const own = failure("denied", "no", { cause: new Error("why") })
  const thrown = new FailureError(own)
  assert.equal(failureOf(thrown), own)
  assert.deepEqual([thrown.name, thrown.message, thrown.cause], ["FailureError", "no", own.cause])
  assert.equal("cause" in new FailureError(failure("denied", "no")), false)
  const stop = Object.assign(new Error("x"), { name: "AbortError" })
  assert.deepEqual(
    [failureOf(stop).kind, failureOf(stop).message, failureOf({ name: "AbortError" }).kind],
    ["aborted", "Operation aborted", "internal"],
  )
  const error = new TypeError("broken")
  assert.deepEqual(failureOf(error), { kind: "internal", message: "broken", retryable: false, cause: error })
  assert.deepEqual(failureOf("text"), { kind: "internal", message: "text", retryable: false, cause: "text" })
})

test("a clause becomes a sentence and a sentence a clause, as a text or a phrase", () => {
  assert.equal(englishOf(sentence(phrase`no ${"file"}`)), "no file.")
  assert.equal(clauseOf("A. B."), "A. B")
  assert.equal(clauseOf("A. B"), "A. B")
  assert.deepEqual(clauseOf(phrase`no. ${"file."}.`), { id: "no. {0}", values: ["file."] })
})

test("each text within a phrase is changed, at any depth; numbers and null stay", () => {
  const given = phrase`a ${"b"} ${1} ${null} ${undefined} ${phrase`c ${"d"}`}`
  const changed = withStrings(given, (text) => text.toUpperCase())
  assert.deepEqual(changed, phrase`a ${"B"} ${1} ${null} ${undefined} ${phrase`c ${"D"}`}`)
})

test("a diagnostic begins with its file, and its line if one is known", () => {
  const at = { type: "warning", path: "/f", text: phrase`odd ${"x"}` } as const
  assert.equal(diagnosticText({ ...at, line: null }), "/f: odd x")
  assert.equal(diagnosticText({ ...at, line: 3 }), "/f:3: odd x")
})

test("the first of a name is kept; each later one that has a file is a collision", () => {
  const all = [
    { name: "a", location: "/1" },
    { name: "b", location: null },
    { name: "a", location: "/2" },
    { name: "b", location: null },
    { name: "b", location: "/3" },
  ]
  const { first, diagnostics } = firstOfEachName("skill", all)
  assert.deepEqual(first, all.slice(0, 2))
  assert.deepEqual(
    diagnostics.map((one) => [one.type, diagnosticText(one)]),
    [
      ["collision", '/2:1: the skill "a" is left out: /1 has this name. Rename one of them.'],
      ["collision", '/3:1: the skill "b" is left out: null has this name. Rename one of them.'],
    ],
  )
})

test("a notification keeps the phrase of its text, a plain text has none", () => {
  const text = phrase`no ${"file"}`
  assert.deepEqual(textNotification("hook", "warn", text), {
    code: "hook",
    level: "warn",
    text: "no file",
    phrase: text,
  })
  assert.deepEqual(textNotification("hook", "info", "a"), { code: "hook", level: "info", text: "a" })
})

test("the model is told of a command of the user with its output", () => {
  assert.equal(userCommandText("ls", "a\nb"), "The user ran a command:\n$ ls\n\na\nb")
})
