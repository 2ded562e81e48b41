import assert from "node:assert/strict"
import { test } from "node:test"
import type { Event, PublishedStep } from "@gong/spec"
import { textOf } from "@gong/screen/row"
import type { Session } from "@gong/session/session"
import { manualClock } from "@gong/testing/sim/clock"
import { builtInDeclarations } from "@gong/tools"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import { createFeed, feedSession, type FeedOptions, waitingTexts } from "../../../src/modes/tui/feed.ts"
import type { Message } from "../../../src/modes/tui/messages.ts"
import { watchScreen } from "../../../src/modes/tui/watch.ts"
import type { Tty, TtyEvents } from "../../../src/terminal/tty.ts"

/** A feed and the lines that it gives. */
function feeding(more: Partial<FeedOptions> = {}) {
  const messages: Message[] = []
  const turned: number[] = []
  const options: FeedOptions = {
    t: english,
    clock: manualClock(0),
    images: null,
    size: () => ({ columns: 60, rows: 20 }),
    render: null,
    turned: (tokens) => void turned.push(tokens),
    emit: (message) => void messages.push(message),
    ...more,
  }
  const feed = createFeed(builtInDeclarations, options)
  const blocks = () =>
    messages.flatMap((message) =>
      message.kind === "blocks" ? message.blocks : message.kind === "reply" ? message.final : [],
    )
  return {
    feed,
    options,
    messages,
    turned,
    blocks,
    async after(...events: readonly object[]) {
      for (const event of events) feed.take(event as Event)
      await feed.settled()
      return blocks().map(({ indent = [], line }) => textOf(indent) + textOf(line))
    },
  }
}

const text = (delta: string, more: object = {}) => ({
  type: "message_update",
  id: "m",
  kind: "text",
  index: 0,
  delta,
  ...more,
})
const started = (name: string, title: string, args: object = {}) => ({
  type: "tool_execution_start",
  toolCallId: "c",
  name,
  title,
  args,
})
const ended = (name: string, more: object = {}) => ({
  type: "tool_execution_end",
  toolCallId: "c",
  name,
  status: "ok",
  content: [],
  details: null,
  durationMs: 1_500,
  ...more,
})
const content = (written: string) => ({ content: [{ type: "text", text: written }] })
const bash = [started("bash", "ls"), ended("bash", content("a\n  b"))]

test("text and calls are separated by blank lines, and the output of a command is below it", async () => {
  const { after } = feeding()
  assert.deepEqual(
    await after(text("**hello**"), { type: "message_end" }, ...bash, ...bash, text("end"), { type: "agent_end" }),
    [
      "",
      "hello",
      "",
      "  bash ls  1.5 s",
      "      a",
      "        b",
      "  bash ls  1.5 s",
      "      a",
      "        b",
      "",
      "end",
    ],
  )
})

test("a run begins with a blank line again, and the text of a task is not shown", async () => {
  const { after } = feeding()
  const run = [{ type: "agent_start" }, text("a"), { type: "agent_end" }]
  assert.deepEqual(await after(...run, ...run, text("of a task", { parent: "t" }), text("x", { kind: "tool_call" })), [
    "",
    "a",
    "",
    "a",
  ])
})

test("the styles of a call, its output and a warning", async () => {
  const { after, blocks } = feeding()
  await after(
    ...bash,
    ended("bash", { status: "error", ...content("\u001b[32mno") }),
    {
      type: "notice",
      level: "warn",
      code: "x",
      text: "careful",
    },
    { type: "notice", level: "info", code: "x", text: "by the way" },
  )
  assert.deepEqual(
    blocks().map(({ line, whole }) => [whole, ...line.map(({ text: part, role }) => `${part}|${role ?? ""}`)]),
    [
      [false],
      [false, "bash|strong", " ls|", "  1.5 s|muted"],
      [true, "      |", "a|muted"],
      [true, "      |", "  b|muted"],
      [false, "bash|strong", "|", "  1.5 s  error|error"],
      [true, "      |", "no|fg:2"],
      [false, "gong: careful|warn"],
      [false, "  by the way|"],
    ],
  )
})

test("a diff has its colours, whole rows and marked words; a failed call of a tool is prose", async () => {
  const { after, blocks } = feeding()
  const diff = "- 1 old x\n+ 1 new x\n  2 same"
  await after(
    started("edit", "a.ts"),
    ended("edit", { details: { diff }, files: [] }),
    ended("read", { status: "error", ...content("not\nfound") }),
  )
  assert.deepEqual(
    blocks()
      .slice(2)
      .map(({ line, whole, indent }) => [
        whole,
        indent?.[0]?.text,
        ...line.map(({ text: part, role }) => `${part}|${role ?? ""}`),
      ]),
    [
      [true, undefined, "      - 1 |removed", "old|removed strong", " x|removed"],
      [true, undefined, "      + 1 |added", "new|added strong", " x|added"],
      [true, undefined, "        2 same|"],
      [false, "  ", "read|strong", "|", "  1.5 s  error|error"],
      [false, "      ", "not|muted"],
      [false, "      ", "found|muted"],
    ],
  )
})

test("ten rows of output, forty of a failure and forty of a diff stay", async () => {
  const rows = (count: number, sign = "") => Array.from({ length: count }, (_, at) => `${sign}${at}`).join("\n")
  const counted = async (name: string, more: object) => (await feeding().after(ended(name, more))).length - 2
  assert.equal(await counted("bash", content(rows(11))), 11)
  const long = await feeding().after(ended("bash", content(rows(12))))
  assert.deepEqual([long.length, long[2]], [13, "      ... (2 earlier lines; /output shows all)"])
  assert.equal(await counted("bash", { ...content(rows(41)), status: "error" }), 41)
  assert.equal(await counted("bash", { ...content(rows(42)), status: "error" }), 41)
  assert.equal(await counted("edit", { details: { diff: rows(41, "+") } }), 41)
  assert.equal(await counted("edit", { details: { diff: rows(43, "+") } }), 41)
})

test("thinking that has ended is a line with its time", async () => {
  const clock = manualClock(0)
  const { feed, after } = feeding({ clock })
  feed.take({ ...text("hm"), kind: "thinking" } as Event)
  await clock.advance(2_000)
  assert.deepEqual(await after(text("so"), { type: "message_end" }), ["", "  thought  2.0 s", "", "so"])
})

test("a discarded reply is reported, if there was text of it", async () => {
  const { feed, after, messages } = feeding()
  feed.discard()
  assert.deepEqual(await after(), [])
  await after(text("half"))
  feed.discard()
  assert.deepEqual(await after(), ["", "half", "(this reply was discarded; the model begins again)"])
  assert.deepEqual(messages.filter(({ kind }) => kind === "calls").at(-1), { kind: "calls", calls: [] })
})

test("images of a result are below their call, and a turn of the session itself is reported", async () => {
  const { after, turned } = feeding()
  const image = { type: "image", mimeType: "image/webp", data: "AA" }
  const shown = await after(
    ended("read", { content: [image] }),
    { type: "turn_end", contextTokens: 7 },
    { type: "turn_end", contextTokens: 9, parent: "t" },
  )
  assert.deepEqual([shown, turned], [["", "  read  1.5 s", "    [image image/webp]"], [7]])
})

test("a rendered call is a line without parts, and keeps its place", async () => {
  const { after, blocks } = feeding({ render: async () => "own\n      more" })
  assert.deepEqual(await after(ended("read"), text("x"), { type: "message_end" }), [
    "",
    "  own",
    "        more",
    "",
    "x",
  ])
  assert.deepEqual(blocks()[1]?.line, [{ text: "  own" }])
})

/** A session that publishes what the test gives it. */
function publishing(waiting: object = { steer: [], followUp: [] }) {
  let listener: (step: PublishedStep) => void = () => undefined
  let isClosed = false
  const session = {
    declared: builtInDeclarations,
    waiting,
    subscribe: (take: typeof listener) => ((listener = take), () => void (isClosed = true)),
  } as unknown as Session
  return { session, publish: (step: object) => listener(step as PublishedStep), isClosed: () => isClosed }
}

test("waiting messages are those into the run, then later ones; an error of a step is shown", async () => {
  const waiting = { steer: [{ text: "now" }], followUp: [{ text: "later" }] }
  const { session, publish, isClosed } = publishing(waiting)
  assert.deepEqual(waitingTexts(session), ["now", "later"])
  const { options, messages, blocks } = feeding()
  const feed = feedSession(session, options)
  publish({ notification: { code: "retry_end", attempt: 1, ok: true } })
  assert.deepEqual(messages, [])
  publish({ notification: { code: "queue" } })
  assert.deepEqual(messages, [{ kind: "waiting", texts: ["now", "later"] }])
  publish({
    notification: {
      code: "command",
      get text() {
        throw new Error("broken")
      },
    },
  })
  publish({
    get partial() {
      throw new Error("broken step")
    },
  })
  await feed.settled()
  assert.deepEqual(blocks().at(-1), { line: [{ text: "gong: Error: broken step", role: "error" }], whole: false })
  feed.close()
  assert.equal(isClosed(), true)
})

/** The screen of another process's session, on a terminal that records what is written. */
function watching() {
  const clock = manualClock(0)
  let written = ""
  let events: TtyEvents | null = null
  const log: string[] = []
  const size = { columns: 60, rows: 20 }
  const tty = {
    size,
    write: (bytes: string) => void (written += bytes),
    showAlternate: () => undefined,
    setTitle: () => undefined,
    unsent: 0,
    suspend: () => void log.push("suspend"),
    lend: (work: () => Promise<unknown>) => work(),
    close: () => void log.push("close"),
  } as unknown as Tty
  const style = createStyle({ terminal: false, env: {} })
  let isLight = false
  const screen = watchScreen({
    t: english,
    clock,
    theme: {
      style,
      load: (loaded) => loaded?.("<query>"),
      reply: (answer) => answer === "light" && (isLight = !isLight),
    },
    declared: builtInDeclarations,
    head: "session s1",
    status: ["p/m"],
    images: null,
    reflows: true,
    resizeMs: 50,
    hasLinks: false,
    keymap: undefined as never,
    hasVim: false,
    openTty: (given) => ((events = given), tty),
    capture: (sink) => void log.push(sink === null ? "released" : "captured"),
    leave: () => void log.push("leave"),
  })
  return {
    screen,
    clock,
    log,
    size,
    events: () => {
      assert.ok(events)
      return events
    },
    written: () => {
      const all = written
      written = ""
      return all
    },
    async after(...events_: readonly object[]) {
      for (const event of events_) screen.take(event as Event)
      for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
      await clock.advance(100)
      return this.written()
    },
  }
}

test("a reply that the model begins again is reported in the transcript", async () => {
  const { session, publish } = publishing()
  const { options, blocks } = feeding()
  const feed = feedSession(session, options)
  publish({ partial: { type: "start", draftId: "d", model: { provider: "p", id: "m", api: "x" } } })
  publish({ partial: { type: "text", index: 0, delta: "half" } })
  publish({ partial: { type: "discard", draftId: "d" } })
  await feed.settled()
  assert.deepEqual(
    blocks().map(({ line }) => textOf(line)),
    ["", "half", "(this reply was discarded; the model begins again)"],
  )
})

test("a watched session shows its head, messages, failures and how its runs end", async () => {
  const watched = watching()
  assert.deepEqual(watched.log, ["captured"])
  const first = watched.written()
  for (const part of ["session s1", "watching, read-only", "p/m", "<query>"]) assert.ok(first.includes(part), part)
  const message = (role: string, written: string, more: object = {}) => ({
    type: "message_end",
    message: { role, content: [{ type: "text", text: written }] },
    ...more,
  })
  const shown = await watched.after(
    message("user", "a question"),
    message("assistant", "an **answer**"),
    message("user", "", {}),
  )
  assert.ok(shown.includes("> a question") && shown.includes("an answer"), JSON.stringify(shown))
  assert.equal((await watched.after(message("user", "of a task", { parent: "t" }))).includes("of a task"), false)
  const working = await watched.after({ type: "agent_start" })
  assert.ok(working.includes("working 0 s"))
  const failed = await watched.after({ type: "failure", failure: { kind: "auth", message: "no key" } })
  assert.ok(failed.includes("gong: no key"))
  assert.ok((await watched.after({ type: "agent_end", status: "failed" })).includes("[failed]"))
  assert.equal(await watched.after(), "")
  await watched.clock.advance(5_000)
  assert.equal(watched.written(), "", "the time of the run is not shown any more")
  assert.equal((await watched.after({ type: "agent_end", status: "done" })).includes("[done]"), false)
  assert.ok((await watched.after({ type: "model_select", model: "p/other" })).includes("[model: p/other]"))
})

test("a watched session is left with its keys, follows the size and the theme, and is closed", async () => {
  const watched = watching()
  const key = (name: string, ctrl = false) =>
    watched.events().input({ kind: "key", key: { name, ctrl, alt: false, shift: false } })
  watched.written()
  key("x")
  assert.deepEqual(watched.log, ["captured"])
  key("escape")
  key("z", true)
  assert.deepEqual(watched.log, ["captured", "leave", "suspend"])
  key("l", true)
  const redrawn = watched.written()
  assert.ok(redrawn.includes("\u001b[J") && redrawn.includes("watching"))
  watched.events().input({ kind: "reply", text: "dark" })
  assert.equal(watched.written(), "")
  watched.events().input({ kind: "reply", text: "light" })
  assert.match(watched.written(), /watching/)
  Object.assign(watched.size, { columns: 20 })
  watched.events().resized()
  await watched.clock.advance(49)
  assert.equal(watched.written(), "")
  await watched.clock.advance(1)
  assert.match(watched.written(), /…/)
  watched.events().continued()
  assert.match(watched.written(), /watching/)
  await watched.screen.close()
  assert.deepEqual(watched.log.slice(-2), ["close", "released"])
})
