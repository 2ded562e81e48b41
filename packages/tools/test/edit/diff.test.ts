import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { diffOf } from "../../src/edit/diff.ts"
import { viewOf } from "../../src/edit/view.ts"

/** Changes of whole lines: each replaces `count` lines from `line`, counted from 0. */
interface Change {
  readonly line: number
  readonly count: number
  readonly by: readonly string[]
}

const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("")

function diff(old: readonly string[], changes: readonly Change[]) {
  const at = (line: number) => Buffer.byteLength(joined(old.slice(0, line)))
  const ranges = changes.map(({ line, count, by }) => ({ start: at(line), end: at(line + count), text: joined(by) }))
  return diffOf(viewOf(Buffer.from(joined(old))), ranges)
}

function applied(old: readonly string[], changes: readonly Change[]): readonly string[] {
  const lines = [...old]
  for (const { line, count, by } of changes.toReversed()) lines.splice(line, count, ...by)
  return lines
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

/** Changes with at least one line between them, of a file with 60 lines. */
const someChanges = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 14 }), count: fc.nat(3), added: fc.nat(3) }), { maxLength: 8 })
  .map((parts) => {
    let line = 0
    return parts.flatMap(({ gap, count, added }, index): readonly Change[] => {
      const from = line + gap
      line = from + count
      if (line > 60 || count + added === 0) return []
      return [{ line: from, count, by: Array.from({ length: added }, (_, at) => `new ${index}.${at}`) }]
    })
  })

test("rows have the lines of the old and new file at their numbers, with four lines around each change", () => {
  const old = numbered(60)
  fc.assert(
    fc.property(someChanges, (changes) => {
      const now = applied(old, changes)
      const found = diff(old, changes)
      const rows = found.diff.split("\n").flatMap((row) => {
        const [, sign = "", number, text = ""] = /^([-+ ]) +(\d+) (.*)$/.exec(row) ?? []
        return number === undefined ? [] : [{ sign, line: Number(number), text }]
      })
      const count = (wanted: string) => rows.filter(({ sign }) => sign === wanted).length
      assert.deepEqual([count("+"), count("-")], [found.added, found.removed])
      assert.equal(found.added - found.removed, now.length - old.length)
      for (const { sign, line, text } of rows) assert.equal(text, (sign === "-" ? old : now)[line - 1])
      const changed = rows.filter(({ sign }) => sign !== " ")
      assert.equal(found.firstChangedLine, changed[0]?.line ?? 1)
      let shift = 0
      const expected = new Set<number>()
      for (const { line, count: removed, by } of changes) {
        for (let near = line + shift - 3; near <= line + shift + by.length + 4; near++)
          if (near >= 1 && near <= now.length) expected.add(near)
        shift += by.length - removed
      }
      const shown = rows.filter(({ sign }) => sign !== "-").map(({ line }) => line)
      assert.deepEqual(
        shown,
        [...expected].toSorted((a, b) => a - b),
      )
    }),
    { numRuns: 300 },
  )
})

/** Ranges of characters in a text of 174 characters, in order and without overlaps, with their new texts. */
const someRanges = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 40 }),
      length: fc.nat(25),
      text: fc.constantFrom("", "x", "\n", "x\ny", "\n\n", "x\n"),
    }),
    { maxLength: 6 },
  )
  .map((parts) => {
    let end = 0
    return parts.flatMap(({ gap, length, text }) => {
      const start = end + gap
      if (start + length > 174 || length + text.length === 0) return []
      end = start + length
      return [{ start, end, text }]
    })
  })

test("changes inside of lines are shown as whole lines, those of one line together", () => {
  const text = numbered(23).join("\n")
  assert.equal(text.length, 174)
  fc.assert(
    fc.property(someRanges, (ranges) => {
      const found = diffOf(viewOf(Buffer.from(text)), ranges)
      const changed = ranges
        .toReversed()
        .reduce((to, one) => to.slice(0, one.start) + one.text + to.slice(one.end), text)
      const [old, now] = [text.split("\n"), changed.split("\n")]
      assert.equal(found.added - found.removed, now.length - old.length)
      const left = new Set(old.keys())
      const kept = new Set(now.keys())
      for (const row of found.diff.split("\n")) {
        const [, sign = "", number, content = ""] = /^([-+ ]) +(\d+) (.*)$/.exec(row) ?? []
        if (number === undefined) continue
        const at = Number(number) - 1
        assert.equal(content, (sign === "-" ? old : now)[at], row)
        if (sign === "-") left.delete(at)
        if (sign === "+") kept.delete(at)
      }
      // Without the removed and added lines both texts are the same.
      assert.deepEqual(
        [...left].map((at) => old[at]),
        [...kept].map((at) => now[at]),
      )
    }),
    { numRuns: 500 },
  )
})

test("a changed line is shown once, and its neighbours as context", () => {
  const view = viewOf(Buffer.from("one two\nthree\nfour"))
  const rows = (...ranges: readonly { start: number; end: number; text: string }[]) => diffOf(view, ranges).diff
  assert.equal(
    rows({ start: 0, end: 3, text: "1" }, { start: 4, end: 7, text: "2" }),
    "- 1 one two\n+ 1 1 2\n  2 three\n  3 four",
  )
  assert.equal(rows({ start: 4, end: 10, text: "x" }), "- 1 one two\n- 2 three\n+ 1 one xree\n  2 four")
  assert.equal(rows({ start: 14, end: 18, text: "4" }), "  1 one two\n  2 three\n- 3 four\n+ 3 4")
  assert.equal(rows({ start: 18, end: 18, text: "\n" }), "  1 one two\n  2 three\n  3 four\n+ 4 ")
})

test("omitted lines are marked at the start, between changes and at the end", () => {
  const old = numbered(30)
  const change = (line: number): Change => ({ line, count: 1, by: ["x"] })
  const marks = (changes: readonly Change[]) =>
    diff(old, changes)
      .diff.split("\n")
      .flatMap((row, at) => (row.trim() === "..." ? [at] : []))
  assert.deepEqual(marks([change(4)]), [10])
  assert.deepEqual(marks([change(5)]), [0, 11])
  assert.deepEqual(marks([change(25)]), [0])
  assert.deepEqual(marks([change(24)]), [0, 11])
  assert.deepEqual(marks([change(4), change(13)]), [20])
  assert.deepEqual(marks([change(4), change(14)]), [10, 21])
  assert.equal(diff(old, [change(14)]).diff.split("\n")[0], "       ...")
})

test("lines that a change leaves equal are context", () => {
  const { diff: rows, ...counted } = diff(["a", "b", "c", "d"], [{ line: 0, count: 4, by: ["a", "x", "y", "d"] }])
  assert.equal(rows, "  1 a\n- 2 b\n- 3 c\n+ 2 x\n+ 3 y\n  4 d")
  assert.deepEqual(counted, { firstChangedLine: 2, added: 2, removed: 2 })
  const same = diff(["a", "b"], [{ line: 0, count: 2, by: ["a", "b"] }])
  assert.deepEqual([same.added, same.removed], [0, 0])
})

test("line numbers are aligned to the longest", () => {
  const old = numbered(12)
  assert.match(diff(old, [{ line: 3, count: 1, by: ["x"] }]).diff, /^ {2}1 line 1\n/)
  assert.match(diff(old, [{ line: 4, count: 1, by: ["x"] }]).diff, /^ {3}1 line 1\n/)
})

test("a row is cut after 500 characters", () => {
  const rows = (length: number) => diff(["a"], [{ line: 0, count: 1, by: ["x".repeat(length)] }]).diff.split("\n")
  assert.equal(rows(500)[1], `+ 1 ${"x".repeat(500)}`)
  assert.equal(rows(501)[1]?.startsWith(`+ 1 ${"x".repeat(500)}... `), true)
})

test("after more than 2000 rows further changes are left out", () => {
  const old = numbered(2000)
  const two = (count: number, more: number) => {
    const by = Array.from({ length: count + more }, (_, at) => `new ${at}`)
    return diff(old, [
      { line: 0, count, by },
      { line: 1500, count: 1, by: ["last"] },
    ])
  }
  const all = two(998, 0)
  assert.match(all.diff, /last/)
  const cut = two(998, 1)
  assert.deepEqual([cut.diff.split("\n").length, cut.added, cut.removed], [2002, 1000, 999])
  assert.doesNotMatch(cut.diff, /last/)
  assert.match(cut.diff, /\n {5} {4}\.\.\.$/)
})
