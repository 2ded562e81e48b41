import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { planOf } from "../../../../src/commands/sessions/replay/plan.ts"
import type { Exchange } from "../../../../src/commands/sessions/replay/recording.ts"

/** Entries by one letter; the id of each is its position. */
const entries: Readonly<Record<string, object>> = {
  i: { type: "input", kind: "prompt" },
  s: { type: "input", kind: "steer" },
  p: { type: "prompt" },
  m: { type: "model_change" },
  f: { type: "model_change", reason: "fallback" },
  t: { type: "thinking_level_change" },
  h: { type: "custom_message", customType: "hook.x" },
  c: { type: "custom_message", customType: "other" },
  a: { type: "message" },
  l: { type: "label" },
  u: { type: "session_info" },
  x: { type: "custom" },
  e: { type: "run_end" },
}

function tapeOf(letters: string): Tape {
  const list = Array.from(letters, (letter, at) => ({ id: String(at), ...entries[letter] }) as unknown as Entry)
  const entry = (position: number) => list[position] ?? assert.fail(`no entry at ${position}`)
  const all = { length: list.length, entry, head: entry }
  const placeOf = (id: string) => (list[Number(id)] === undefined ? undefined : Number(id))
  return { all, store: { placeOf } } as unknown as Tape
}

const [one, two] = [{}, {}]

/** An exchange that began after the entry at this position. */
const exchange = (began: number, set: object = one) => ({ began: String(began), set }) as unknown as Exchange

/** Each segment as its runs: first entry, prompt, last entry, whether it ended, number of exchanges. */
function segments(letters: string, exchanges: readonly Exchange[]) {
  const { segments: found, skipped } = planOf(tapeOf(letters), exchanges)
  const runs = found.map((segment) =>
    segment.runs
      .map(
        ({ first, prompt, last, end, exchanges: own }) => `${first},${prompt},${last}${end ? "." : ""}:${own.length}`,
      )
      .join(" "),
  )
  return [...runs, `skipped ${skipped.runs} ${skipped.requests}`]
}

test("a run includes the entries written before its prompt", () => {
  for (const [letters, began, ...expected] of [
    ["iae", [0], "0,0,2.:1", "skipped 0 0"],
    ["piae", [1, 1], "0,1,3.:2", "skipped 0 0"],
    ["mtphiae", [4], "0,4,6.:1", "skipped 0 0"],
    ["cpiae", [2], "1,2,4.:1", "skipped 0 0"],
    ["liae", [1], "1,1,3.:1", "skipped 0 0"],
    ["ia", [0], "0,0,1:1", "skipped 0 0"],
    ["iaeaa", [0], "0,0,2.:1", "skipped 0 0"],
    ["isae", [0, 3], "0,0,3.:2", "skipped 0 0"],
    ["iae", [], "skipped 1 0"],
    ["iae", [9], "skipped 1 1"],
    ["aiae", [0], "skipped 1 1"],
    ["iaea", [0, 3], "0,0,2.:1", "skipped 0 1"],
    ["", [], "skipped 0 0"],
  ] as const)
    assert.deepEqual(
      segments(
        letters,
        began.map((at) => exchange(at)),
      ),
      expected,
      letters,
    )
})

test("a run with a fallback includes the entries that restore the model", () => {
  for (const [letters, last] of [
    ["ifaemt", 5],
    ["ifaem", 4],
    ["ifaemm", 4],
    ["ifaet", 4],
    ["ifaett", 4],
    ["ifae", 3],
    ["ifaec", 3],
    ["imaemt", 3],
    ["iaemt", 2],
  ] as const)
    assert.deepEqual(segments(letters, [exchange(0)]), [`0,0,${last}.:1`, "skipped 0 0"], letters)
})

test("runs of one process are one segment, unless an external change lies between them", () => {
  for (const [letters, sets, ...expected] of [
    ["iaeiae", [one, one], "0,0,2.:1 3,3,5.:1"],
    ["iaepiae", [one, one], "0,0,2.:1 3,4,6.:1"],
    ["iaesiae", [one, one], "0,0,2.:1 4,4,6.:1"],
    ["iaeliae", [one, one], "0,0,2.:1 4,4,6.:1"],
    ["iaeiae", [one, two], "0,0,2.:1", "3,3,5.:1"],
    ["iaemiae", [one, one], "0,0,2.:1", "3,4,6.:1"],
    ["iaetiae", [one, one], "0,0,2.:1", "3,4,6.:1"],
    ["iaeciae", [one, one], "0,0,2.:1", "4,4,6.:1"],
    ["iaiae", [one, one], "0,0,1:1", "2,2,4.:1"],
    ["iapiae", [one, one], "0,0,1:1", "2,3,5.:1"],
    ["ifaemtiae", [one, one], "0,0,5.:1 6,6,8.:1"],
    ["iaeiaeiae", [one, one, one], "0,0,2.:1 3,3,5.:1 6,6,8.:1"],
  ] as const) {
    const prompts = [...letters.matchAll(/i/g)].map(({ index }) => index)
    const found = segments(
      letters,
      prompts.map((at, run) => exchange(at, sets[run])),
    )
    assert.deepEqual(found, [...expected, "skipped 0 0"], letters)
  }
  const without = segments("iaeiaeiae", [exchange(0), exchange(6)])
  assert.deepEqual(without, ["0,0,2.:1", "6,6,8.:1", "skipped 1 0"], "a run without a recording parts them")
})

test("entries from outside of runs, which are in no request, do not end a segment", () => {
  const runs = (letter: string) => segments(`iae${letter}iae`, [exchange(0), exchange(4)])
  for (const letter of ["l", "u", "x", "s"])
    assert.deepEqual(runs(letter), ["0,0,2.:1 4,4,6.:1", "skipped 0 0"], letter)
  for (const letter of ["c", "a"]) assert.deepEqual(runs(letter), ["0,0,2.:1", "4,4,6.:1", "skipped 0 0"], letter)
})
