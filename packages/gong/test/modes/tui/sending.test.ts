import assert from "node:assert/strict"
import { test } from "node:test"
import { phrase, type RunEnd } from "@gong/spec"
import { type Block, textOf } from "@gong/screen/row"
import { emptyEditor } from "@gong/screen/editor"
import { english } from "@gong/texts/translator"
import type { Message } from "../../../src/modes/tui/messages.ts"
import { createSending, type SendingOptions } from "../../../src/modes/tui/sending.ts"
import { initialState } from "../../../src/modes/tui/state.ts"

interface Faked {
  /** Answers of commands by their names. */
  readonly calls?: Readonly<Record<string, object>>
  /** What a typed line is. */
  readonly typed?: (text: string) => object | Promise<object>
  readonly input?: (text: string) => object
  readonly end?: RunEnd
  readonly waiting?: object
  readonly isRunning?: boolean
  readonly editorText?: string
}

/** Sends to a session that answers as given; `log` has everything that happens. */
function sendingTo({
  calls = {},
  typed,
  input,
  end = { status: "done", turns: 1 },
  waiting = { steer: [], followUp: [] },
  isRunning = false,
  editorText = "",
}: Faked = {}) {
  const log: unknown[] = []
  const session = {
    running: isRunning,
    waiting,
    subscribe: () => () => void log.push("unsubscribed"),
    dequeue: async (id: string) => (log.push(["dequeue", id]), [{ text: `text of ${id}` }]),
  }
  const gate: { finish: (() => void) | null; until: Promise<void> } = { finish: null, until: Promise.resolve() }
  const controller = {
    current: { session },
    call: async (name: string, args: object) => (log.push([name, args]), calls[name] ?? { ok: true, data: {} }),
    typed: async (text: string) => typed?.(text) ?? { kind: "message", text },
    input: async (text: string, images: readonly unknown[] = []) =>
      input?.(text) ?? { ok: true, data: { text, images, seen: [] } },
    prompt: async ({ text }: { text: string }) => (log.push(["prompt", text]), await gate.until, end),
  }
  const options = {
    t: english,
    images: null,
    size: () => ({ columns: 40, rows: 10 }),
    controller,
    dialogs: {},
    readings: {},
    state: () => ({ ...initialState({ columns: 40, rows: 10 }, 0), editor: { ...emptyEditor, text: editorText } }),
    settled: async () => void log.push("settled"),
    print: (text: string, more: Partial<Block> = {}) => void log.push(["print", textOf(more.indent ?? []) + text]),
    dispatch: (message: Message, isUrgent = false) =>
      void log.push([...Object.values(message), ...(isUrgent ? ["urgent"] : [])]),
    changed: () => void log.push("changed"),
    ended: ({ status }: RunEnd) => void log.push(["ended", status]),
    leave: () => void log.push("leave"),
  }
  const sending = createSending(options as unknown as SendingOptions)
  return {
    log,
    sending,
    session,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      Object.assign(gate, { until: promise, finish: resolve })
      return resolve
    },
    async send(text: string, more: object = {}) {
      sending.send({ text, images: [], isLater: false, ...more })
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
      return log.splice(0).filter((one) => !Array.isArray(one) || one[0] !== "blocks")
    },
    async settle() {
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
      return log.splice(0).filter((one) => !Array.isArray(one) || one[0] !== "blocks")
    },
  }
}

const ran = (text: string) => [
  ["running", true],
  ["prompt", text],
  "settled",
  ["ended", "done"],
  "unsubscribed",
  ["running", false],
  ["calls", []],
]
const shown = (text: string) => [
  ["print", ""],
  ["print", `> ${text}`],
]

test("a message is shown, sent, and its run is reported", async () => {
  assert.deepEqual(await sendingTo().send("hello"), [...shown("hello"), "changed", ...ran("hello")])
  const failed = sendingTo({ end: { status: "interrupted", turns: 1 } })
  assert.deepEqual((await failed.send("x")).slice(6, 8), [
    ["print", "Stopped.\n"],
    ["ended", "interrupted"],
  ])
})

test("images of a message are below it", async () => {
  const { sending, log } = sendingTo()
  sending.send({ text: "see", images: [{ mimeType: "image/webp", data: "AA" }], isLater: false })
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
  const blocks = log.flatMap((one) => (Array.isArray(one) && one[0] === "blocks" ? (one[1] as readonly Block[]) : []))
  assert.deepEqual(
    blocks.map(({ line }) => textOf(line)),
    ["    [image image/webp]"],
  )
})

test("notes about a message are printed, and a message that cannot be sent is no run", async () => {
  const noted = sendingTo({
    input: (text) => ({ ok: true, data: { text, images: [], seen: [], notes: [phrase`the file is cut`] } }),
  })
  assert.deepEqual((await noted.send("x"))[3], ["print", "gong: the file is cut"])
  const refused = sendingTo({
    input: () => ({ ok: false, error: { code: "not_found", message: "no file", hint: "look" } }),
  })
  assert.deepEqual(await refused.send("@x"), [...shown("@x"), "changed", ["print", "gong: no file (look)"]])
})

test("a command shows its lines, leaves the conversation, or becomes a message", async () => {
  const output = sendingTo({ typed: () => ({ kind: "output", lines: ["one", "two"] }) })
  assert.deepEqual(await output.send("/x"), [...shown("/x"), "changed", ["print", "one"], ["print", "two"]])
  const quit = sendingTo({ typed: () => ({ kind: "quit" }) })
  assert.deepEqual(await quit.send("/quit"), [...shown("/quit"), "changed", "leave"])
  const template = sendingTo({ typed: () => ({ kind: "message", text: "expanded" }) })
  assert.deepEqual(await template.send("/t"), [...shown("/t"), "changed", ...ran("expanded")])
  const blank = sendingTo({ typed: () => ({ kind: "message", text: " \n" }) })
  assert.deepEqual(await blank.send("/t"), [...shown("/t"), "changed"])
  const broken = sendingTo({ typed: () => Promise.reject(new Error("no")) })
  assert.deepEqual(await broken.send("/x"), [...shown("/x"), ["print", "gong: Error: no"]])
})

test("the changes of a command are shown in the reader, not as lines", async () => {
  const view = sendingTo({
    typed: () => ({ kind: "output", lines: ["a diff"], view: "changes" }),
    calls: { get_diff: { ok: true, data: { files: [] } } },
  })
  let log = await view.send("/diff")
  for (let turns = 0; turns < 2_000 && !JSON.stringify(log).includes("get_diff"); turns++)
    log = [...log, ...(await view.settle())]
  assert.deepEqual(log.slice(3), [["get_diff", {}]])
})

test("into a run a message is sent after the running tool, or later; a command is shown behind it", async () => {
  const args = { text: "x", images: [], mentions: true }
  const running = () =>
    sendingTo({
      isRunning: true,
      typed: (text) => (text === "/jobs" ? { kind: "output", lines: ["none"] } : { kind: "message", text }),
    })
  assert.deepEqual(await running().send("x"), ["changed", ["steer", { ...args, when: "after-tool" }]])
  assert.deepEqual(await running().send("x", { isLater: true }), ["changed", ["follow_up", args]])
  assert.deepEqual(await running().send("/jobs"), ["changed", ...shown("/jobs"), ["print", "none"]])
})

test("what could not be sent into a run is back in the input, unless there is other text", async () => {
  const refused = { steer: { ok: false, error: { code: "busy", message: "too late" } } }
  const empty = await sendingTo({ isRunning: true, calls: refused }).send("x")
  assert.deepEqual(empty.slice(2), [
    ["print", "gong: too late"],
    ["text", "x"],
  ])
  const typing = await sendingTo({ isRunning: true, calls: refused, editorText: "other" }).send("x")
  assert.deepEqual(typing.slice(2), [["print", "gong: too late"]])
})

test("a line waits for the command before it, and is shown as waiting", async () => {
  const gate = Promise.withResolvers<object>()
  const { send, settle } = sendingTo({
    typed: (text) => (text === "/slow" ? gate.promise : { kind: "output", lines: [] }),
  })
  assert.deepEqual(await send("/slow"), shown("/slow"))
  assert.deepEqual(await send("/next"), [["waiting", ["/next"]]])
  gate.resolve({ kind: "output", lines: [] })
  assert.deepEqual(await settle(), ["changed", ["waiting", []], ...shown("/next"), "changed"])
})

test("early messages are sent one after the other, behind that of the command line", async () => {
  const { sending, settle } = sendingTo({ waiting: { steer: [{ text: "s" }], followUp: [{ text: "f" }] } })
  await sending.sendEarly({ text: "first", images: [], seen: [] }, [{ text: "typed", images: [], isLater: true }])
  assert.deepEqual(await settle(), [
    ["waiting", ["s", "f"]],
    ...shown("first"),
    ...ran("first"),
    ...shown("typed"),
    "changed",
    ...ran("typed"),
  ])
  const none = sendingTo()
  await none.sending.sendEarly(null, [])
  assert.deepEqual(await none.settle(), [["waiting", []]])
})

test("the last waiting message goes back into an empty input, a later one first", async () => {
  const waiting = {
    steer: [
      { id: "s1", text: "" },
      { id: "s2", text: "" },
    ],
    followUp: [{ id: "f1", text: "" }],
  }
  const takeBack = async (faked: Faked) => {
    const { sending, settle } = sendingTo(faked)
    sending.takeBack()
    return settle()
  }
  assert.deepEqual(await takeBack({ waiting }), [
    ["dequeue", "f1"],
    ["text", "text of f1", "urgent"],
  ])
  assert.deepEqual(await takeBack({ waiting: { ...waiting, followUp: [] } }), [
    ["dequeue", "s2"],
    ["text", "text of s2", "urgent"],
  ])
  assert.deepEqual(await takeBack({}), [])
  assert.deepEqual(await takeBack({ waiting, editorText: "x" }), [])
})

test("completions are those of files, commands or arguments; none are shown if they could not be found", async () => {
  const complete = async (kind: "file" | "command" | "argument", calls: Faked["calls"]) => {
    const { sending, settle } = sendingTo(calls === undefined ? {} : { calls })
    const target = { kind, from: 0, to: 1, typed: "ab", command: kind === "argument" ? "model" : "" }
    sending.complete(target)
    return settle()
  }
  const [call, found] = await complete("file", { find_files: { ok: true, data: { paths: ["a.ts"] } } })
  assert.deepEqual(call, ["find_files", { query: "ab", limit: 50 }])
  assert.deepEqual((found as readonly unknown[]).slice(2), [[{ value: "a.ts", about: "" }], "urgent"])
  const completions = [{ value: "model", about: "selects" }, { value: "memory" }]
  const [named, items] = await complete("command", { complete: { ok: true, data: { completions } } })
  assert.deepEqual(named, ["complete", { name: "ab" }])
  assert.deepEqual((items as readonly unknown[])[2], [
    { value: "model", about: "selects" },
    { value: "memory", about: "" },
  ])
  const [argument] = await complete("argument", { complete: { ok: true, data: { completions } } })
  assert.deepEqual(argument, ["complete", { name: "model", arguments: "ab" }])
  for (const kind of ["file", "command"] as const)
    assert.equal((await complete(kind, { find_files: { ok: false }, complete: { ok: false } })).length, 1)
})
