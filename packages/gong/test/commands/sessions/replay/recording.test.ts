import assert from "node:assert/strict"
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf } from "@gong/spec"
import { readRecording } from "../../../../src/commands/sessions/replay/recording.ts"
import { folder } from "@gong/testing/folder"

const session = (mark: string) => ({ type: "session", version: 1, set: { mark } })
const model = (id: string) => ({ type: "model", model: { provider: "p", id } })
const exchange = (id: string, body: { kept: number; rest: string; end: number }) => ({
  type: "exchange",
  model: `p/${id}`,
  body,
})
const whole = (rest: string) => ({ kept: 0, rest, end: 0 })

function read(t: TestContext, lines: readonly (object | string)[], end = "\n") {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
  return readRecording(folder(t, { "artifacts/exchanges.jsonl": text + end }), "s1")
}

/** The damage of a recording, or its number of exchanges. */
function outcome(t: TestContext, lines: readonly (object | string)[], end?: string) {
  const found = read(t, lines, end)
  return found.ok ? found.value.exchanges.length : found.error.lines.map(englishOf).join("\n")
}

const unreadable = (line: number) => `gong: line ${line} of the recording of session s1 cannot be read.`

test("each exchange has its number, model and settings", (t) => {
  const one = session("one")
  const found = read(t, [
    one,
    model("a"),
    exchange("a", whole("1")),
    model("b"),
    exchange("b", whole("2")),
    session("two"),
    exchange("a", whole("3")),
  ])
  assert.ok(found.ok)
  assert.deepEqual(
    found.value.exchanges.map((each) => [each.number, each.model.id, (each.set as unknown as { mark: string }).mark]),
    [
      [1, "a", "one"],
      [2, "b", "one"],
      [3, "a", "two"],
    ],
  )
  assert.equal(found.value.exchanges[0]?.set, found.value.exchanges[1]?.set)
})

test("bodies are computed from the previous one, in any order", (t) => {
  const bodies = [
    whole("abcdef"),
    { kept: 2, rest: "XY", end: 1 },
    { kept: 0, rest: "-", end: 5 },
    { kept: 6, rest: "", end: 0 },
  ]
  const found = read(t, [session("one"), model("a"), ...bodies.map((body) => exchange("a", body))])
  assert.ok(found.ok)
  const { exchanges, bodyOf } = found.value
  const text = (at: number) => {
    const one = exchanges[at]
    return one && Buffer.from(bodyOf(one)).toString()
  }
  const texts = ["abcdef", "abXYf", "-abXYf", "-abXYf"]
  for (const order of [
    [0, 1, 2, 3],
    [3, 0, 2, 2, 1],
    [1, 3],
  ])
    for (const at of order) assert.equal(text(at), texts[at], order.join())
})

test("an invalid line is reported by number; a torn last line is skipped", (t) => {
  const good = [session("one"), model("a"), exchange("a", whole("1"))]
  assert.equal(outcome(t, good), 1)
  assert.equal(outcome(t, good, ""), 1)
  assert.equal(outcome(t, [...good, '{"type":"exch'], ""), 1)
  assert.equal(outcome(t, [...good, '{"type":"exch']), unreadable(4))
  assert.equal(outcome(t, [...good, "", session("two")]), unreadable(4))
  assert.equal(outcome(t, [...good, "[]", session("two")]), unreadable(4))
  assert.equal(outcome(t, [{ ...session("one"), version: 2 }]), unreadable(1))
  assert.equal(outcome(t, [{ type: "other" }]), unreadable(1))
  assert.equal(outcome(t, [model("a"), exchange("a", whole("1"))]), unreadable(2))
  assert.equal(outcome(t, [session("one"), model("a"), exchange("b", whole("1"))]), unreadable(3))
  assert.equal(outcome(t, [], ""), 0)
})

test("a session without a recording is a usage error that explains recording", (t) => {
  const none =
    'gong: session s1 was not recorded. To record sessions: gong --set record=on ..., or the setting "record".'
  const outside = folder(t, { x: "" })
  const linked = folder(t, { "artifacts/other": "" })
  symlinkSync(join(outside, "x"), join(linked, "artifacts/exchanges.jsonl"))
  const isFolder = folder(t)
  mkdirSync(join(isFolder, "artifacts/exchanges.jsonl"), { recursive: true })
  for (const place of [null, folder(t), linked, isFolder]) {
    const found = readRecording(place, "s1")
    assert.deepEqual(found.ok ? [] : found.error.lines.map(englishOf), [none])
  }
})
