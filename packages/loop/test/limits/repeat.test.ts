import assert from "node:assert/strict"
import { test } from "node:test"
import type { ToolCall, ToolResultMessage, ToolStatus } from "@gong/spec"
import { repeatDetector } from "../../src/limits/repeat.ts"

interface Round {
  readonly name?: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly broken?: string
  readonly texts?: readonly string[]
  readonly status?: ToolStatus
}

/** Repetitions and cycle length of each round. */
function seen(rounds: readonly Round[]): readonly (readonly [number, number])[] {
  const watch = repeatDetector()
  return rounds.map(({ name = "ls", args = {}, broken, texts = ["same"], status = "ok" }) => {
    const call: ToolCall = { type: "tool_call", id: "c", name, arguments: args, ...(broken ? { broken } : {}) }
    const results = texts.map((text): ToolResultMessage => {
      const content = [{ type: "text" as const, text }]
      return { role: "tool", toolCallId: "c", toolName: name, content, details: null, isError: false, status }
    })
    const { times, rounds: length } = watch.seen([call], results)
    return [times, length]
  })
}

const of = (letters: string): readonly Round[] => letters.split("").map((path) => ({ args: { path } }))
const times = (rounds: readonly Round[]): readonly number[] => seen(rounds).map(([count]) => count)

test("the same round counts from the second time on, and anew after another one", () => {
  assert.deepEqual(seen(of("aaa")), [
    [1, 1],
    [2, 1],
    [3, 1],
  ])
  assert.deepEqual(times(of("aabaa")), [1, 2, 1, 1, 2])
})

test("alternating rounds count when their cycle is complete, and no cycle is longer than three", () => {
  assert.deepEqual(seen(of("ababab")).slice(2), [
    [1, 1],
    [2, 2],
    [1, 1],
    [3, 2],
  ])
  assert.deepEqual(seen(of("abcabcabc")).slice(3), [
    [1, 1],
    [1, 1],
    [2, 3],
    [1, 1],
    [1, 1],
    [3, 3],
  ])
  assert.deepEqual(
    times(of("abcdabcdabcd")),
    Array.from({ length: 12 }, () => 1),
  )
  assert.deepEqual(times(of("ababaab")), [1, 1, 1, 2, 1, 2, 1], "an interrupted cycle starts again")
})

test("a single repeated round has cycle length one, also where longer cycles fit", () => {
  assert.deepEqual(seen(of("aaaaaa")).at(-1), [6, 1])
})

test("other tools, arguments, broken arguments, results, numbers of results and polling are not repetitions", () => {
  const base: Round = { args: { path: "a" } }
  for (const other of [
    { ...base, name: "find" },
    { ...base, args: { path: "b" } },
    { ...base, broken: "{" },
    { ...base, texts: ["other"] },
    { ...base, texts: ["same", "same"] },
    { ...base, texts: [] },
  ])
    assert.deepEqual(times([base, other]), [1, 1], JSON.stringify(other))
  const polls: Round = { ...base, status: "background" }
  assert.deepEqual(times([base, polls, polls]), [1, 1, 1])
  assert.deepEqual(
    times([
      { ...base, broken: "{" },
      { ...base, broken: "{" },
    ]),
    [1, 2],
  )
})

test("times, durations and process ids are ignored in results; other numbers count", () => {
  for (const [before, after] of [
    ["at 2026-01-02T03:04:05.678Z.", "at 2027-11-12 13:14:15+02:00."],
    ["at 2026-01-02 03:04:05-0800", "at 2026-01-02 03:04:06"],
    ["at 1:02!", "at 11:12:13.5!"],
    ["took 3 ms", "took 14.5 s"],
    ["took 3sec", "took 12 minutes"],
    ["1 s and 2 min", "3 m and 4 seconds"],
    ["pid 7", "pid 78"],
    ["PID=7 and process #8", "PID=9 and process #10"],
    ["duration_ms 7.25", "duration_ms 188"],
  ] as const)
    assert.deepEqual(times([{ texts: [before] }, { texts: [after] }]), [1, 2], before)
  for (const [before, after] of [
    ["3 files", "4 files"],
    ["port 80", "port 81"],
    ["3 msgs", "4 msgs"],
    ["version 1.2", "version 1.3"],
    ["line 12:", "line 13:"],
    ["processes 3", "processes 4"],
  ] as const)
    assert.deepEqual(times([{ texts: [before] }, { texts: [after] }]), [1, 1], before)
})
