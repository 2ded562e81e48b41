import assert from "node:assert/strict"
import { test } from "node:test"
import type { Block } from "@gong/screen/row"
import { manualClock } from "@gong/testing/sim/clock"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import { createPainter } from "../../../src/modes/tui/painter.ts"
import { restyle } from "../../../src/modes/tui/restyle.ts"
import type { State } from "../../../src/modes/tui/state.ts"
import type { Tty } from "../../../src/terminal/tty.ts"
import { openReader } from "../../../src/modes/tui/reader/reader.ts"

/** A painter over a terminal that records what is written. */
function open(more: Partial<Parameters<typeof createPainter>[0]> = {}) {
  const clock = manualClock(10_000)
  const log: string[] = []
  let unsent = 0
  const tty: Tty = {
    size: { columns: 40, rows: 10 },
    write: (bytes) => void log.push(bytes),
    showAlternate: (isShown) => void log.push(isShown ? "<alternate>" : "<normal>"),
    setTitle: (title) => void log.push(`<title ${title}>`),
    get unsent() {
      return unsent
    },
    suspend: () => void log.push("<suspend>"),
    async lend(work) {
      log.push("<lend>")
      return work()
    },
    close: () => void log.push("<close>"),
  }
  const style = createStyle({ terminal: true, env: { TERM: "xterm" } })
  const painter = createPainter(
    {
      t: english,
      clock,
      theme: { style },
      reflows: true,
      resizeMs: 50,
      hasLinks: true,
      openTty: () => tty,
      ...more,
    } as Parameters<typeof createPainter>[0],
    { input: () => undefined, resized: () => undefined, continued: () => undefined },
  )
  /** What was written since the last call. */
  const written = (): string => log.splice(0).join("")
  const set = (changes: Partial<State>, isUrgent = false) => painter.set({ ...painter.state, ...changes }, isUrgent)
  return { clock, painter, written, set, busy: (bytes: number) => void (unsent = bytes) }
}

const block = (text: string, more: object = {}): Block => ({ line: [{ text, ...more }], whole: false })

/** The alternate screen is cleared, and has its text again. */
function assertCleared(bytes: string): void {
  assert.ok(bytes.startsWith("\u001b[H\u001b[J"), JSON.stringify(bytes))
  assert.match(bytes, /title/)
}

test("nothing is drawn before the start; then keys at once and other changes 30 times a second", async () => {
  const { clock, painter, written, set } = open()
  set({ hint: "early" }, true)
  set({ hint: "early" })
  assert.deepEqual([written(), clock.waiting], ["", 0])
  painter.start()
  assert.match(written(), /early/)
  set({ hint: "key" }, true)
  assert.match(written(), /key/)
  set({ hint: "one" })
  set({ hint: "two" })
  await clock.advance(32)
  assert.equal(written(), "")
  await clock.advance(1)
  assert.match(written(), /two/)
  await clock.advance(1_000)
  set({ hint: "later" })
  await clock.advance(1)
  assert.match(written(), /later/)
  assert.equal(clock.waiting, 0)
})

test("while a run works its seconds are drawn each second, and nothing when it has ended", async () => {
  const { clock, painter, written, set } = open()
  painter.start()
  set({ isRunning: true, runningSince: 10_000 }, true)
  assert.match(written(), /working 0 s/)
  await clock.advance(999)
  assert.equal(written(), "")
  await clock.advance(1)
  assert.match(written(), /1 s/)
  set({ isRunning: false }, true)
  written()
  await clock.advance(5_000)
  assert.deepEqual([written(), clock.waiting], ["", 0])
})

test("lines are drawn once, and then gone from the state", async () => {
  const { painter, written, set } = open()
  painter.start()
  set({ blocks: [block("one"), block("two")] }, true)
  assert.match(written(), /one[^]*two/)
  assert.deepEqual(painter.state.blocks, [])
  set({ hint: "x" }, true)
  assert.doesNotMatch(written(), /one/)
})

test("a busy terminal is drawn later, and so is one that has just changed its size", async () => {
  const { clock, painter, written, set, busy } = open()
  painter.start()
  written()
  busy(65_537)
  set({ hint: "waits" }, true)
  await clock.advance(32)
  assert.equal(written(), "")
  busy(65_536)
  await clock.advance(1)
  assert.match(written(), /waits/)
  painter.resized()
  set({ hint: "resized" }, true)
  await clock.advance(49)
  assert.equal(written(), "")
  await clock.advance(1)
  assert.match(written(), /resized/)
})

test("a text to read is on the alternate screen, and the conversation is as it was behind it", async () => {
  const { painter, written, set } = open()
  painter.start()
  written()
  const reader = { ...openReader({ title: "title", keys: [], opensAt: "start" }), passages: [] }
  set({ reader, blocks: [block("waits")] }, true)
  const first = written()
  assert.match(first, /^<alternate>/)
  assert.match(first, /rows 0-0 of 0/)
  assert.doesNotMatch(first, /waits/)
  assert.equal(painter.state.blocks.length, 1)
  set({ hint: "copied" }, true)
  assert.equal(written().includes("\u001b[H\u001b[J"), false)
  painter.redraw()
  assertCleared(written())
  set({ size: { columns: 30, rows: 10 } }, true)
  assertCleared(written())
  set({ size: { columns: 30, rows: 9 } }, true)
  assertCleared(written())
  set({ reader: null }, true)
  assert.match(written(), /^<normal>[^]*waits/)
  set({ reader }, true)
  written()
  painter.suspend()
  assert.match(written(), /^<normal>[^]*<suspend>$/)
})

test("the screen is left to another program, and drawn anew behind it", async () => {
  const { painter, written, set } = open()
  painter.start()
  written()
  const value = await painter.lend(async () => {
    set({ hint: "hidden" }, true)
    painter.signal("<signal>")
    return 7
  })
  assert.equal(value, 7)
  const all = written()
  assert.ok(all.includes("<lend>") && !all.includes("<signal>"))
  assert.ok(all.slice(all.indexOf("<lend>")).includes("\u001b[J"))
  assert.match(all.slice(all.indexOf("<lend>")), /hidden/)
  await assert.rejects(
    painter.lend(() => Promise.reject(new Error("no"))),
    /no/,
  )
  set({ hint: "again" }, true)
  assert.match(written(), /again/)
  const closed = painter.lend(async () => painter.close())
  await closed
  written()
  set({ hint: "late" }, true)
  assert.equal(written(), "", "it stays closed")
})

test("at the end all lines are drawn, the input is taken off the screen, and nothing follows", async () => {
  const { clock, painter, written, set } = open()
  painter.start()
  painter.setTitle("title")
  painter.signal("<bell>")
  assert.match(written(), /<title title><bell>$/)
  set({ blocks: Array.from({ length: 400 }, (_, at) => block(`line ${at}`)), hint: "gone" })
  painter.resized()
  painter.close()
  const last = written()
  for (let at = 0; at < 400; at++) assert.ok(last.includes(`line ${at}`), String(at))
  assert.match(last, /<close>$/)
  painter.signal("<bell>")
  set({ hint: "late" }, true)
  set({ hint: "late" })
  painter.redraw()
  await clock.advance(5_000)
  assert.deepEqual([written(), clock.waiting], ["", 0])
})

test("text has its style and, where the terminal has links, its address", () => {
  const written = (hasLinks: boolean, link: string): string => {
    const screen = open({ hasLinks })
    screen.painter.start()
    screen.set({ blocks: [block("text", { role: "strong", link })] }, true)
    return screen.written()
  }
  assert.ok(
    written(true, "https://a.example/b").includes(
      "\u001b]8;;https://a.example/b\u001b\\\u001b[1mtext\u001b[22m\u001b]8;;\u001b\\",
    ),
  )
  assert.ok(!written(false, "https://a.example/b").includes("\u001b]8"))
  for (const link of ["https://a.example/\u0007", "https://a b", "file:///etc/passwd", "xhttps://a", "https:"])
    assert.ok(!written(true, link).includes("\u001b]8"), link)
})

test("a loaded theme asks the terminal for its background, and draws anew if the style is another one", () => {
  const signals: string[] = []
  let redraws = 0
  const painter = { signal: (bytes: string) => void signals.push(bytes), redraw: () => void redraws++ }
  const [one, other] = [createStyle({ terminal: true, env: {} }), createStyle({ terminal: false, env: {} })]
  for (const next of [one, other]) {
    const theme = {
      style: one,
      load: (loaded?: (query: string) => void) => ((theme.style = next), loaded?.("<query>")),
      reply: () => false,
    }
    restyle(theme, painter as unknown as Parameters<typeof restyle>[1])
  }
  assert.deepEqual([signals, redraws], [["<query>", "<query>"], 1])
})
