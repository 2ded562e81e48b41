import assert from "node:assert/strict"
import { test } from "node:test"
import { phrase, type PublishedStep, type RunEnd } from "@gong/spec"
import type { SessionController } from "@gong/app/controller/api"
import { ok } from "@gong/config/usage"
import { builtInDeclarations } from "@gong/tools"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import type { OutputStreams } from "../../src/modes/output-streams.ts"
import { plain, type PlainOptions } from "../../src/modes/plain/plain.ts"
import { showQuestions } from "../../src/modes/plain/questions.ts"
import { orderedOutput } from "../../src/modes/ordered-output.ts"
import type { LineReader } from "../../src/terminal/lines.ts"

interface Faked {
  /** Lines in order; then the input ends. A function is called before the next line is read. */
  readonly lines?: readonly (string | (() => void))[]
  readonly typed?: (text: string) => object
  readonly input?: (text: string) => object
  /** What the session publishes during a run. */
  readonly steps?: readonly object[]
  readonly end?: RunEnd
  readonly jobs?: readonly object[]
  readonly options?: Partial<PlainOptions>
}

/** Runs a conversation in lines; the functions of the result let a test press keys while it runs. */
function conversation(faked: Faked) {
  const log: string[] = []
  let now = 0
  let output = ""
  const left = [...(faked.lines ?? [])]
  const keys = {
    interrupt: (): void => undefined,
    escape: (): void => undefined,
    queued: (_: string): void => undefined,
  }
  const prompts: string[] = []
  const lines: LineReader = {
    async question(prompt) {
      prompts.push(prompt)
      let next = left.shift()
      while (typeof next === "function") {
        next()
        next = left.shift()
      }
      return next ?? null
    },
    onInterrupt: (callback) => void (keys.interrupt = callback),
    onEscape: (callback) => void (keys.escape = callback),
    onQueued: (callback) => void (keys.queued = callback),
    requeue: () => undefined,
    reopen: () => undefined,
    close: () => void log.push("closed"),
  }
  const listeners = new Set<(step: PublishedStep) => void>()
  const session = {
    running: false,
    declared: builtInDeclarations,
    subscribe: (listener: (step: PublishedStep) => void) => (
      listeners.add(listener),
      () => void listeners.delete(listener)
    ),
    abort: () => void log.push("abort"),
  }
  const controller = {
    current: {
      session,
      info: { cwd: "/repo", sandbox: { mode: "off" } },
      jobs: { running: () => faked.jobs ?? [], end: async () => [] },
    },
    typed: async (text: string) => faked.typed?.(text) ?? { kind: "message", text },
    input: async (text: string) => faked.input?.(text) ?? { ok: true, data: { text, images: [], seen: [] } },
    async prompt({ text }: { text: string }) {
      log.push(`prompt ${text}`)
      for (const step of faked.steps ?? []) for (const listener of listeners) listener(step as PublishedStep)
      return faked.end ?? { status: "done", turns: 1 }
    },
    idle: () => void log.push("idle"),
  } as unknown as SessionController
  const write = (text: string): void => void (output += text)
  const streams: OutputStreams = {
    t: english,
    out: write,
    err: write,
    outIsTerminal: true,
    errIsTerminal: true,
    outputClosed: false,
  }
  const options: PlainOptions = {
    first: null,
    intro: [],
    render: null,
    exitOf: ({ status }) => (status === "done" ? 0 : 7),
    clock: { now: () => now, sleep: async () => undefined, timer: () => () => undefined },
    columns: () => 20,
    painter: null,
    copy: async () => ok(""),
    ...faked.options,
  }
  return {
    keys,
    log,
    prompts,
    session,
    at: (ms: number) => void (now = ms),
    listeners,
    async run() {
      const exit = await plain(controller, streams, lines, options)
      return { exit, output, log, prompts }
    },
  }
}

test("lines are sent one after the other until the input ends; the status is that of the last run", async () => {
  assert.deepEqual(await conversation({ lines: ["one", "", "  ", "two"] }).run(), {
    exit: 0,
    output: "",
    log: ["prompt one", "idle", "prompt two", "idle", "closed"],
    prompts: ["> ", "> ", "> ", "> ", "> "],
  })
  assert.equal((await conversation({ lines: ["one"], end: { status: "limit", turns: 1 } }).run()).exit, 7)
  assert.equal((await conversation({}).run()).exit, 0)
})

test("several lines are one message: between quotation marks, or behind a backslash", async () => {
  const sent = async (...lines: readonly string[]) => {
    const { log, prompts } = await conversation({ lines }).run()
    return [
      log.filter((one) => one.startsWith("prompt")).map((one) => one.slice(7)),
      prompts.filter((one) => one === "... ").length,
    ]
  }
  assert.deepEqual(await sent('"""', "a", "", "b", ' """ '), [["a\n\nb"], 3 + 1])
  assert.deepEqual(await sent('"""', "a"), [["a"], 2])
  assert.deepEqual(await sent("a\\", "b\\", "c"), [["a\nb\nc"], 2])
  assert.deepEqual(await sent("a\\"), [["a\n"], 1])
})

test("the introduction is broken at the width; the first message has its files already", async () => {
  const first = { text: "first", images: [], seen: [] }
  const { output, log } = await conversation({
    lines: ["second"],
    input: (text) => ({
      ok: true,
      data: { text: `${text}+files`, images: [], seen: [], notes: [phrase`the file is cut`] },
    }),
    options: { first, intro: ["a line that is longer than that"] },
  }).run()
  assert.deepEqual(log, ["prompt first", "idle", "prompt second+files", "idle", "closed"])
  assert.equal(output, "a line that is\nlonger than that\ngong: the file is cut\n")
})

test("a command prints its lines or quits; a message that cannot be sent is reported", async () => {
  const typed = (text: string) =>
    text === "/quit"
      ? { kind: "quit" }
      : text.startsWith("/")
        ? { kind: "output", lines: ["a line that is longer than that"] }
        : { kind: "message", text }
  const { output, log } = await conversation({
    lines: ["/x", "bad", "/quit", "never"],
    typed,
    input: () => ({ ok: false, error: { code: "not_found", message: "no file" } }),
  }).run()
  assert.deepEqual([output, log], ["a line that is\nlonger than that\ngong: no file\n", ["closed"]])
})

test("running jobs are asked about before the end, and who stays goes on", async () => {
  const jobs = [{ number: 1, title: "npm start" }]
  const { log, prompts } = await conversation({
    lines: ["/quit", "s", "more", "/quit", "e"],
    jobs,
    typed: (text) => (text === "/quit" ? { kind: "quit" } : { kind: "message", text }),
  }).run()
  assert.deepEqual(log, ["prompt more", "idle", "closed"])
  assert.deepEqual(
    prompts.filter((prompt) => prompt !== "> "),
    Array.from({ length: 2 }, () => "1 job is running: npm start. [e]nd it  [k]eep it running  [s]tay: "),
  )
})

test("Ctrl+C stops the run, and twice within 2 s exits; Esc only stops it", async () => {
  const pressing = (second: number, isRunning = false) => {
    const talk = conversation({
      lines: [
        () => {
          talk.session.running = isRunning
          talk.keys.escape()
          talk.keys.interrupt()
          talk.at(second)
          talk.keys.interrupt()
        },
        "text",
      ],
    })
    return talk.run()
  }
  const twice = await pressing(1_999)
  assert.deepEqual(
    [twice.exit, twice.log, twice.output],
    [130, ["abort", "closed", "closed"], "\n(Ctrl+C again exits)\n"],
  )
  const late = await pressing(2_000)
  assert.deepEqual([late.exit, late.log[0], late.output], [0, "prompt text", "\n(Ctrl+C again exits)\n".repeat(2)])
  assert.deepEqual((await pressing(2_000, true)).log.slice(0, 3), ["abort", "abort", "abort"])
})

test("lines that are typed during a run are reported, with their first line", async () => {
  const talk = conversation({
    lines: [
      () => {
        talk.keys.queued("one")
        talk.keys.queued("two\nlines")
        talk.keys.queued("  ")
      },
    ],
  })
  assert.equal((await talk.run()).output, "  queued: one\n  queued: two ...\n")
})

/** Steps of a reply in pieces, and of a call. */
const partial = (update: object) => ({ partial: update })
const beginning = partial({ type: "start", draftId: "d", model: { provider: "p", id: "m", api: "x" } })
const piece = (delta: string) => partial({ type: "text", index: 0, delta })
const entry = (body: object) => ({
  entries: [{ id: "e", parentId: null, timestamp: "2026-01-02T03:04:05.000Z", ...body }],
})
const complete = (text: string) =>
  entry({
    type: "message",
    draftId: "d",
    message: {
      role: "assistant",
      content: [{ type: "text", text }],
      model: { provider: "p", id: "m", api: "x" },
      stopReason: "stop",
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      cost: 0,
    },
  })
const notice = (text: string) => ({ notification: { code: "x", level: "warn", text } })

test("a reply is written as it comes, broken at words, and ends its line before anything else", async () => {
  const written = async (...steps: readonly object[]) => (await conversation({ lines: ["x"], steps }).run()).output
  const long = [beginning, piece("one two "), piece("three four five"), piece(" six")]
  assert.equal(await written(...long, complete("one two three four five six")), "one two three four\nfive six\n")
  assert.equal(await written(beginning, piece("one\n"), complete("one\n")), "one\n", "the line has ended")
  assert.equal(await written(beginning, piece("one"), notice("careful")), "one\n  gong: careful\n")
  assert.equal(
    await written(beginning, piece("one"), { partial: { type: "thinking", index: 1, delta: "hm" } }, piece(" two")),
    "one two",
  )
  assert.equal(await written(beginning, piece("one"), entry({ type: "label" }), piece(" two")), "one two")
  assert.equal(await written({ inside: "t", step: beginning }, { inside: "t", step: piece("of a task") }), "")
})

test("calls of a run are lines, and diffs have colours where there is a painter", async () => {
  const style = createStyle({ terminal: true, env: { TERM: "xterm" } })
  const painted: string[] = []
  const start = entry({ type: "tool_start", callId: "c", name: "edit", title: "a.ts", arguments: { path: "a.ts" } })
  const message = {
    role: "tool",
    toolCallId: "c",
    toolName: "edit",
    content: [],
    details: { diff: "- 1 old\n+ 1 new" },
    isError: false,
    status: "ok",
    durationMs: 1_500,
  }
  const steps = [start, entry({ type: "message", message })]
  const plainly = await conversation({ lines: ["x"], steps }).run()
  assert.equal(plainly.output, "  edit a.ts  1.5 s\n    - 1 old\n    + 1 new\n")
  const painter = { style, out: () => undefined, err: (text: string) => void painted.push(text) }
  await conversation({ lines: ["x"], steps, options: { painter } }).run()
  assert.deepEqual(painted, [`  edit a.ts  1.5 s\n${style.removed("    - 1 old")}\n${style.added("    + 1 new")}\n`])
  const other = entry({ type: "message", message: { ...message, toolName: "read", details: null } })
  assert.equal(
    (await conversation({ lines: ["x"], steps: [start, other], options: { painter } }).run()).output,
    "  read a.ts  1.5 s\n",
  )
})

test("an interrupted run says so, and nothing listens behind a run", async () => {
  const talk = conversation({ lines: ["x"], end: { status: "interrupted", turns: 1 } })
  assert.equal((await talk.run()).output, "Stopped.\n")
  assert.equal(talk.listeners.size, 0)
})

interface Answered {
  readonly typed: readonly (string | null)[]
  readonly request?: object
  readonly painted?: boolean
}

/** The answer to a permission question, its prompts and what it shows. */
async function permission({ typed, request = {}, painted = false }: Answered) {
  const left = [...typed]
  const prompts: string[] = []
  let shown = ""
  const write = (text: string): void => void (shown += text)
  const replies: unknown[] = []
  let publish: (step: PublishedStep) => void = () => undefined
  const session = {
    subscribe: (listener: typeof publish) => ((publish = listener), () => undefined),
    reply: (_: string, answer: unknown) => void replies.push(answer),
    answer: (_: string, answer: unknown) => void replies.push(answer),
  }
  let signal: AbortSignal | undefined
  const lines = {
    question: async (prompt: string, options: { signal?: AbortSignal } = {}) => {
      prompts.push(prompt)
      ;({ signal } = options)
      return left.length === 0 ? Promise.reject(new Error("no more")) : (left.shift() ?? null)
    },
  } as unknown as LineReader
  const streams = { t: english, out: write, err: write } as unknown as OutputStreams
  const style = createStyle({ terminal: true, env: { TERM: "xterm" } })
  const painter = painted ? { style, out: (text: string) => write(`<${text}>`), err: write } : null
  showQuestions({ session, info: { cwd: "/repo" } } as unknown as Parameters<typeof showQuestions>[0], lines, {
    streams,
    output: orderedOutput(),
    painter,
  })
  const notification = {
    code: "permission_request",
    id: "p1",
    toolCallId: "c1",
    tool: "bash",
    args: { command: "ls" },
    title: "ls",
    reason: "level ask",
    choices: ["once", "session", "no"],
    ...request,
  }
  publish({ inside: "t", step: { notification } } as unknown as PublishedStep)
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
  publish({ notification: { code: "permission_end", id: "p1" } } as unknown as PublishedStep)
  return { replies, prompts, shown, isEnded: signal?.aborted }
}

const wide = { choices: ["once", "session", "always", "no"], widerRule: "bash(ls *)", rulesFile: "/rules.json" }

test("a permission question takes its letters, in capitals and full width, and asks again otherwise", async () => {
  for (const [typed, answer, request] of [
    [["y"], { choice: "once" }, {}],
    [[" Ｙ "], { choice: "once" }, {}],
    [["s"], { choice: "session" }, {}],
    [["n"], { choice: "no" }, {}],
    [[null], { choice: "no" }, {}],
    [[], { choice: "no" }, {}],
    [["a", "y"], { choice: "once" }, {}],
    [["a"], { choice: "always" }, wide],
    [["w", "y"], { choice: "once" }, {}],
    [["w", "s"], { choice: "session", wider: true }, wide],
    [["w", "A"], { choice: "always", wider: true }, wide],
    [["w", "", "n"], { choice: "no" }, wide],
    [["x", "", "s"], { choice: "session" }, {}],
    [["e", "too wide"], { choice: "no", message: "too wide" }, {}],
    [["e", null], { choice: "no", message: "" }, {}],
  ] as const)
    assert.deepEqual((await permission({ typed, request })).replies, [answer], JSON.stringify([typed, request]))
})

test("a permission question shows the call and its letters, and ends with the answer of another frontend", async () => {
  const { prompts, shown, isEnded } = await permission({ typed: ["n"] })
  assert.match(prompts[0] ?? "", / \[y\]es \[s\]ession \[n\]o \[e\]xplain: $/)
  assert.match(shown, /^\S.*\n {2}/)
  assert.equal(isEnded, true)
  const wider = await permission({ typed: ["w", "", "n"], request: wide })
  assert.match(wider.prompts[0] ?? "", / \[a\]lways \[w\]ider \[n\]o /)
  assert.equal(
    wider.prompts[1],
    "Allow bash(ls *): for this [s]ession, or [a]lways (in /rules.json)? Enter goes back: ",
  )
  const painted = await permission({ typed: ["n"], painted: true })
  assert.match(painted.shown, /^\S.*\n< {2}[^]*\n>/)
})
