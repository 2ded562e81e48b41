import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type Emulator, openEmulator } from "@gong/testing/emulator"
import { createFrame, type View } from "../../src/frame/frame.ts"
import { textOf, type Row } from "../../src/text/row.ts"
import { wrapCells, wrapWords } from "../../src/text/wrap.ts"

const columns = 20
const rows = 8
const size = { columns, rows }
const paint = ({ text, role }: { text: string; role?: string }) =>
  role === "bold" ? `\u001b[1m${text}\u001b[22m` : text

const word = fc.constantFrom(
  "a",
  "word",
  "longer words here",
  "中文字",
  "é",
  "👍🏽",
  "👨‍👩‍👧",
  "x".repeat(50),
  "",
  " ",
  "e\u0301",
)
const line = fc.array(fc.record({ text: word, role: fc.constantFrom("bold", "plain") }), { maxLength: 4 })
const block = fc
  .tuple(line, fc.boolean())
  .map(([spans, whole]) => (whole ? wrapCells(spans, columns) : wrapWords(spans, { columns })))
const step = fc.record({
  /** Blocks that are added to the transcript, of which `leaves` leave. */
  added: fc.array(block, { maxLength: 3 }),
  leaves: fc.nat(4),
  input: fc.array(word, { minLength: 1, maxLength: 2 }),
  hidden: fc.boolean(),
})

/** Text as the terminal keeps it: without blanks at the end. */
const shownText = (row: Row) => textOf(row.spans).trimEnd()

async function assertShows(emulator: Emulator, left: readonly Row[], view: View): Promise<void> {
  const expected = [...left, ...view.live].map((row) => [shownText(row), row.continues === true])
  while (expected.length > 0 && expected.at(-1)?.[0] === "") expected.pop()
  const found = emulator.rows().map(({ text, continues }) => [text.trimEnd(), continues])
  assert.deepEqual(found, expected)
  if (view.caret !== null)
    assert.deepEqual(emulator.cursor(), { row: left.length + view.caret.row, column: view.caret.column })
}

test("after each frame the emulator shows what a full paint would, in order, with the cursor at the caret", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const emulator = openEmulator(columns, rows)
      const frame = createFrame({ paint, reflows: true })
      const left: Row[] = []
      let open: Row[] = []
      for (const { added, leaves, input, hidden } of steps) {
        open.push(...added.flat())
        const inputRows = wrapWords([{ text: `> ${input.join(" ")}` }], { columns }).slice(0, 3)
        // The live region holds at most one row less than the screen.
        let gone = Math.min(open.length, leaves)
        gone = Math.max(gone, open.length - (rows - 1 - inputRows.length))
        while (gone < open.length && open[gone]?.continues === true) gone++
        const leaving = open.slice(0, gone)
        open = open.slice(gone)
        const live = [...open, ...inputRows]
        const caret = hidden ? null : { row: live.length - 1, column: 1 }
        const view = { left: leaving, live, caret }
        const bytes = frame.render(view, size)
        assert.doesNotMatch(bytes, /\[[23]J|\[\d*;\d*r|\[\?100[0236]h/, "no clearing, no scroll region, no mouse")
        await emulator.write(bytes)
        left.push(...leaving)
        await assertShows(emulator, left, view)
        assert.equal(frame.render({ ...view, left: [] }, size), "", "nothing is written when nothing has changed")
      }
    }),
    { numRuns: 300 },
  )
})

test("the column is set behind a cluster whose width terminals disagree about", () => {
  const view = { left: [], live: [{ spans: [{ text: "👨‍👩‍👧x⚠️y中z" }] }], caret: null }
  const bytes = createFrame({ paint, reflows: true }).render(view, size)
  assert.ok(bytes.includes("👨‍👩‍👧\u001B[3Gx⚠️\u001B[6Gy中z"), JSON.stringify(bytes))
})

test("more rows leave at once than the screen has: each stands once, with the input below", async () => {
  const live: readonly Row[] = [{ spans: [{ text: "> input" }] }, { spans: [{ text: "status" }] }]
  const caret = { row: 0, column: 7 }
  for (const count of [rows - 3, rows - 2, rows - 1, rows, 3 * rows]) {
    const emulator = openEmulator(columns, rows)
    const frame = createFrame({ paint, reflows: true })
    await emulator.write(frame.render({ left: [], live, caret }, size))
    const left: readonly Row[] = Array.from({ length: count }, (_, at) => ({ spans: [{ text: `row ${at}` }] }))
    await emulator.write(frame.render({ left, live, caret }, size))
    await assertShows(emulator, left, { left, live, caret })
  }
})

for (const protocol of ["kitty", "iterm"] as const)
  test(`${protocol}: an image is drawn over its rows, wherever they end up, and the cursor goes back`, async () => {
    const live: readonly Row[] = [{ spans: [{ text: "> input" }] }, { spans: [{ text: "status" }] }]
    const caret = { row: 0, column: 7 }
    for (const before of [0, 1, 3, rows - 3, rows, 3 * rows]) {
      const emulator = openEmulator(columns, rows)
      const drawnAt: object[] = []
      const note = () => {
        drawnAt.push(emulator.cursor())
        return true
      }
      emulator.terminal.parser.registerOscHandler(1337, note)
      const frame = createFrame({ paint, reflows: true })
      await emulator.write(frame.render({ left: [], live, caret }, size))
      const above: readonly Row[] = Array.from({ length: before }, (_, at) => ({ spans: [{ text: `row ${at}` }] }))
      const image = { protocol, data: "x".repeat(10_000), columns: 5, rows: 4 }
      const left: readonly Row[] = [...above, {}, {}, {}, { image }, { spans: [{ text: "below" }] }].map((row) => ({
        spans: [{ text: "  " }],
        ...row,
      }))
      const view = { left, live, caret }
      const bytes = frame.render(view, size)
      await emulator.write(bytes)
      await assertShows(emulator, left, view)
      if (protocol === "iterm") assert.deepEqual(drawnAt, [{ row: before, column: 2 }])
      else assert.equal(bytes.split("\u001b_G").length, 1 + Math.ceil(10_000 / 4_096))
    }
  })

test("a row that no longer continues the one above is written, although its text is the same, and the other way round", async () => {
  const full = { spans: [{ text: "x".repeat(columns) }] }
  const emulator = openEmulator(columns, rows)
  const frame = createFrame({ paint, reflows: true })
  for (const continues of [false, true, false] as const) {
    const view: View = {
      left: [],
      live: [full, { spans: [{ text: "rest" }], ...(continues && { continues: true as const }) }],
      caret: { row: 1, column: 4 },
    }
    await emulator.write(frame.render(view, size))
    await assertShows(emulator, [], view)
  }
})
