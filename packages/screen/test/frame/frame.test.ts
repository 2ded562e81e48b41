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

const CSI = "\u001b["
const framed = (bytes: string) => `${CSI}?2026h${bytes}${CSI}?2026l`
const rowsOf = (...texts: readonly string[]): readonly Row[] => texts.map((text) => ({ spans: [{ text }] }))
const viewOf = (live: readonly Row[], caret: View["caret"] = null, left: readonly Row[] = []): View => ({
  left,
  live,
  caret,
})

/** The bytes of the last view, behind the others. */
function bytesOf(views: readonly View[], reflows = true): string {
  const frame = createFrame({ paint, reflows })
  return views.map((view) => frame.render(view, size)).at(-1) ?? ""
}

test("the first frame writes its rows, moves to the caret, and hides the cursor only where there is none", () => {
  assert.equal(bytesOf([viewOf(rowsOf("ab", "cd"), { row: 0, column: 1 })]), framed(`ab\r\ncd${CSI}1A${CSI}2G`))
  assert.equal(bytesOf([viewOf(rowsOf("ab"))]), framed(`ab${CSI}?25l`))
  assert.equal(bytesOf([viewOf(rowsOf("ab")), viewOf(rowsOf("ab"), { row: 0, column: 2 })]), framed(`${CSI}?25h`))
  assert.equal(
    bytesOf([viewOf(rowsOf("ab"), { row: 0, column: 2 }), viewOf(rowsOf("ab"), { row: 0, column: 0 })]),
    framed("\r"),
  )
})

test("only what differs of a row is written, and the rest of a shorter one is erased", () => {
  const change = (before: string, next: string) => {
    const caret = { row: 0, column: 0 }
    return bytesOf([viewOf(rowsOf(before), caret), viewOf(rowsOf(next), caret)])
  }
  assert.equal(change("abc", "abd"), framed(`${CSI}3Gd\r`))
  assert.equal(change("abc", "abcd"), framed(`${CSI}4Gd\r`))
  assert.equal(change("abc", "ab"), framed(`${CSI}3G${CSI}K\r`))
  assert.equal(change("abc", "xy"), framed(`xy${CSI}K\r`))
  assert.equal(change("中文", "中字"), framed(`${CSI}3G字\r`))
  assert.equal(change("x".repeat(columns), "y".repeat(columns)), framed(`${"y".repeat(columns)}\r`))
  const styled = (text: string, role?: string) => [
    { spans: [{ text: "a" }, { text, ...(role !== undefined && { role }) }] },
  ]
  const caret = { row: 0, column: 0 }
  assert.equal(
    bytesOf([viewOf(styled("b"), caret), viewOf(styled("b", "bold"), caret)]),
    framed(`${CSI}2G${CSI}1mb${CSI}22m\r`),
  )
})

test("rows are inserted and deleted where the rows below stay, and erased at the end", () => {
  const caret = { row: 0, column: 0 }
  const change = (before: readonly string[], next: readonly string[]) =>
    bytesOf([viewOf(rowsOf(...before), caret), viewOf(rowsOf(...next), caret)])
  assert.equal(change(["a", "z"], ["a", "b", "z"]), framed(`${CSI}1B\r\n${CSI}1A${CSI}1Lb${CSI}1A\r`))
  assert.equal(change(["a", "b", "c", "z"], ["a", "z"]), framed(`${CSI}1B${CSI}2M${CSI}1A`))
  assert.equal(change(["a", "b", "c"], ["a"]), framed(`${CSI}1B${CSI}J${CSI}1A`))
  assert.equal(change(["a"], ["a", "b"]), framed(`\r\nb${CSI}1A\r`))
})

test("rows that leave are not written again, and the cursor is below them", () => {
  const live = rowsOf("> ")
  const caret = { row: 0, column: 2 }
  const gone = bytesOf([viewOf([...rowsOf("one"), ...live], { row: 1, column: 2 }), viewOf(live, caret, rowsOf("one"))])
  assert.equal(gone, "")
  const empty = bytesOf([viewOf(rowsOf("one"), { row: 0, column: 3 }), viewOf([], null, rowsOf("one"))])
  assert.equal(empty, framed(`\r\n${CSI}?25l`))
})

test("at another width the live region is drawn anew from where the terminal has moved its rows", () => {
  const resized = (reflows: boolean, live: readonly Row[], caret: View["caret"], narrow = 10) => {
    const frame = createFrame({ paint, reflows })
    frame.render(viewOf(live, caret), size)
    const bytes = frame.render(viewOf(rowsOf("new"), { row: 0, column: 0 }), { columns: narrow, rows })
    return bytes.slice(`${CSI}?2026h`.length, bytes.indexOf(`${CSI}J`))
  }
  const wide = rowsOf("x".repeat(15), "abc")
  assert.equal(resized(true, wide, { row: 1, column: 2 }), `${CSI}2A\r`)
  assert.equal(resized(false, wide, { row: 1, column: 2 }), `${CSI}1A\r`)
  assert.equal(resized(true, rowsOf("x".repeat(10), "abc"), { row: 1, column: 2 }), `${CSI}1A\r`)
  assert.equal(resized(true, rowsOf("", "abc"), { row: 1, column: 0 }), `${CSI}1A`)
  assert.equal(resized(true, rowsOf("x".repeat(15)), { row: 0, column: 12 }), `${CSI}1A\r`)
  assert.equal(resized(true, rowsOf("x".repeat(15)), { row: 0, column: 9 }), "\r")
  const continued: readonly Row[] = [
    ...rowsOf("x".repeat(20)),
    { spans: [{ text: "yyyy" }], continues: true },
    ...rowsOf("z"),
  ]
  assert.equal(resized(true, continued, { row: 2, column: 1 }), `${CSI}3A\r`)
  assert.equal(resized(true, continued, { row: 2, column: 1 }, 30), `${CSI}1A\r`)
})

test("a redraw erases and writes all of the live region; a cleared one is gone, with the cursor shown", () => {
  const frame = createFrame({ paint, reflows: true })
  assert.equal(frame.clear(), "")
  const view = viewOf(rowsOf("a", "b"), { row: 1, column: 1 })
  frame.render(view, size)
  assert.equal(frame.redraw(view, size), framed(`${CSI}1A\r${CSI}Ja${CSI}1B\rb`))
  assert.equal(frame.clear(), `${CSI}1A\r${CSI}J`)
  assert.equal(frame.clear(), "")
  assert.equal(frame.render(viewOf(rowsOf("a")), size), framed(`a${CSI}?25l`))
  assert.equal(frame.clear(), `\r${CSI}J${CSI}?25h`)
  assert.equal(
    frame.render(viewOf(rowsOf("c"), { row: 0, column: 1 }), { columns: 5, rows }),
    framed("c"),
    "nothing is drawn anew",
  )
})

test("a continued row is written right behind the full row above it; else that row's last character is written again", () => {
  const full = "x".repeat(columns)
  const continued: readonly Row[] = [...rowsOf(full), { spans: [{ text: "yyyy" }], continues: true }]
  const caret = { row: 0, column: 0 }
  const added = (from: View["caret"]) => bytesOf([viewOf(rowsOf(full), from), viewOf(continued, caret)])
  assert.equal(bytesOf([viewOf(continued, { row: 1, column: 4 })]), framed(`${full}yyyy`))
  assert.equal(added({ row: 0, column: columns }), framed(`yyyy${CSI}1A\r`))
  assert.equal(added(caret), framed(`${CSI}20Gxyyyy${CSI}1A\r`))
  const wide = `${"x".repeat(columns - 2)}中`
  const behindWide: readonly Row[] = [...rowsOf(wide), { spans: [{ text: "y" }], continues: true }]
  assert.equal(
    bytesOf([viewOf(rowsOf(wide), caret), viewOf(behindWide, caret)]),
    framed(`${CSI}19G中y${CSI}1A\r`),
    "a wide character",
  )
  const changed: readonly Row[] = [...rowsOf(full), { spans: [{ text: "yyyz" }], continues: true }]
  assert.equal(bytesOf([viewOf(continued, caret), viewOf(changed, caret)]), framed(`${CSI}1B${CSI}4Gz${CSI}1A\r`))
})

test("another image in a row of the same text is drawn", () => {
  const pictured = (data: string): readonly Row[] => [
    ...rowsOf("", ""),
    { spans: [{ text: " " }], image: { protocol: "iterm", data, columns: 2, rows: 2 } },
  ]
  const caret = { row: 0, column: 0 }
  const bytes = bytesOf([viewOf(pictured("one"), caret), viewOf(pictured("two"), caret)])
  assert.ok(bytes.includes("two") && !bytes.includes("one"), JSON.stringify(bytes))
})
