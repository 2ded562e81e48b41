import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, isTextNotification, type Notification, phrase } from "@gong/spec"
import type { Problem } from "../src/protocol.ts"
import { createExtensionReporter, type ThreadEvent } from "../src/reporter.ts"

const extension = (id: number, name: string) => ({
  id,
  name,
  path: `/x/${name}.ts`,
  folder: "/x",
  boundary: null,
  settings: {},
})
const a = extension(0, "a")
const b = extension(1, "b")

const problem = (message: Problem["message"], more: Partial<Problem> = {}): Problem => ({
  message,
  stack: "",
  path: null,
  line: null,
  ...more,
})

/** The lines and diagnostics of these events, as text. */
function taken(...events: readonly ThreadEvent[]) {
  const reporter = createExtensionReporter()
  for (const event of events) reporter.add(event)
  const { lines, diagnostics } = reporter.take()
  assert.deepEqual(reporter.take(), { lines: [], diagnostics: [] })
  return {
    lines: lines.map((line) => englishOf(line)),
    diagnostics: diagnostics.map(({ type, path, line, text }) => `${type} ${path}:${line} ${englishOf(text)}`),
  }
}

const printed = (text: string, from: typeof a | null = a): ThreadEvent => ({ kind: "printed", extension: from, text })
const notice = (text: string, from = a): ThreadEvent => ({ kind: "notice", extension: from, level: "info", text })
const unhandled = (one: Problem, from: typeof a | null = a): ThreadEvent => ({
  kind: "unhandled",
  extension: from,
  problem: one,
})
const off = (one: Problem, more: { gate?: boolean; load?: "threw" | null } = {}): ThreadEvent => ({
  kind: "off",
  extension: a,
  problem: one,
  gate: false,
  load: null,
  ...more,
})

test("printed lines are reported when they are complete, with the name of their extension", () => {
  const events = [printed("one\ntw"), printed("b1\n", b), printed("o\n\n  \nrest"), printed("nobody\n", null)]
  assert.deepEqual(taken(...events).lines, [
    "a printed: one",
    "b printed: b1",
    "a printed: two",
    "an extension printed: nobody",
  ])
})

test("of each extension 20 printed lines are shown, and the last one says that more are left out", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => printed(`${at}\n`))
  const { lines } = taken(...many(19))
  assert.deepEqual([lines.length, lines.at(-1)], [19, "a printed: 18"])
  const cut = taken(...many(22), printed("b\n", b), notice("n")).lines
  assert.deepEqual([cut.length, cut.at(-3)], [22, "a printed: 19 (More is left out.)"])
  assert.deepEqual(cut.slice(-2), ["b printed: b", "a: n"])
})

test("100 notices and 50 problems of each extension are shown", () => {
  const notices = taken(...Array.from({ length: 102 }, (_, at) => notice(`${at}`))).lines
  assert.deepEqual([notices.length, notices[98], notices[99]], [100, "a: 98", "a: 99 (More is left out.)"])
  const problems = taken(...Array.from({ length: 52 }, (_, at) => unhandled(problem(`${at}`)))).diagnostics
  assert.equal(problems.length, 50)
})

test("a problem is located in its file, that of the extension, or an extension", () => {
  const text = "boom. No call awaited this; catch it there."
  assert.deepEqual(
    taken(
      unhandled(problem("boom", { path: "/x/part.ts", line: 3 })),
      unhandled(problem("boom")),
      unhandled(problem("boom"), null),
    ),
    {
      lines: [],
      diagnostics: [`error /x/part.ts:3 ${text}`, `error /x/a.ts:null ${text}`, `error an extension:null ${text}`],
    },
  )
})

test("the punctuation of a message is kept, and a full stop is not doubled", () => {
  const end = "The extension a is off. Mend it; /reload loads it again."
  for (const [message, shown] of [
    ["boom", "boom."],
    ["boom.", "boom."],
    ["what?", "what?"],
    ["no!", "no!"],
    ["no! more", "no! more."],
    [phrase`of ours`, "of ours."],
  ] as const)
    assert.deepEqual(taken(off(problem(message))).diagnostics, [`error /x/a.ts:null ${shown} ${end}`])
})

test("an extension that is off and has a gate refuses calls", () => {
  assert.deepEqual(taken(off(problem("boom"), { gate: true, load: "threw" })).diagnostics, [
    'error /x/a.ts:null boom. The extension a is off, and calls that it would judge are refused. Mend it; /reload loads it again; or do without it: "extensions": { "a": false } in the settings.',
  ])
})

test("at most five frames are shown, only lines of the stack that are frames", () => {
  const frames = Array.from({ length: 6 }, (_, at) => `    at f${at} (file:///x/a.ts:${at}:1)`)
  const stack = ["Error: at home", "at nothing", ...frames].join("\n")
  const shown = [0, 1, 2, 3, 4].map((at) => `\n    at f${at} (/x/a.ts:${at}:1)`).join("")
  assert.deepEqual(taken(unhandled(problem("boom", { stack }))).diagnostics, [
    `error /x/a.ts:null boom. No call awaited this; catch it there.${shown}`,
  ])
})

test("stored notifications are sent to a receiver in order, and all later ones at once", () => {
  const reporter = createExtensionReporter()
  const got: string[] = []
  const receive = (one: Notification) =>
    void got.push(isTextNotification(one) ? `${one.code} ${one.level}: ${englishOf(one.phrase ?? one.text)}` : one.code)
  reporter.add(notice("early"))
  reporter.add(unhandled(problem("boom")))
  reporter.notify("a line")
  reporter.sendTo(receive)
  assert.equal(got.length, 3)
  reporter.answer("an answer")
  reporter.add({ ...notice("late"), level: "warn" } as ThreadEvent)
  assert.deepEqual(
    got.map((line) => line.split("\n")[0]),
    [
      "extension info: a: early",
      "extension warn: /x/a.ts: boom. No call awaited this; catch it there.",
      "extension info: a line",
      "command info: an answer",
      "extension warn: a: late",
    ],
  )
  assert.deepEqual(reporter.take(), { lines: [], diagnostics: [] })
})
