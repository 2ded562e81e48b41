import assert from "node:assert/strict"
import { test } from "node:test"
import { usage, ok } from "@gong/config/usage"
import { phrase } from "@gong/spec"
import { english } from "@gong/texts/translator"
import { actionPerformer, INTERRUPTED } from "../../../src/modes/tui/actions.ts"
import { createKeyCommands } from "../../../src/modes/tui/key-commands.ts"
import { emptyEditor } from "@gong/screen/editor"
import type { Action, Message } from "../../../src/modes/tui/messages.ts"
import { initialState } from "../../../src/modes/tui/state.ts"

type Deps = Parameters<typeof actionPerformer>[0]

/** Performs actions; `log` has what they call. */
function performing({ isOpen = true, ...more }: Partial<Record<keyof Deps, unknown>> & { isOpen?: boolean } = {}) {
  const log: unknown[] = []
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void =>
      void log.push([name, ...args])
  const state = {
    ...initialState({ columns: 40, rows: 10 }, 0),
    editor: { ...emptyEditor, text: "draft", caret: 5 },
    history: { texts: ["one", "two\nlines"], at: null, draft: "" },
  }
  const sending = Object.fromEntries(
    ["send", "takeBack", "complete", "nextPermission", "nextThinking", "background"].map((name) => [name, note(name)]),
  )
  const active = {
    controller: { current: { session: { abort: note("abort") } } },
    sending,
    exit: () => 0,
    leave: note("leave"),
    close: note("close"),
  }
  const deps = {
    t: english,
    clock: {},
    painter: {
      state,
      redraw: note("redraw"),
      suspend: note("suspend"),
      signal: note("signal"),
      lend: (work: () => Promise<unknown>) => (log.push(["lend"]), work()),
    },
    theme: { reply: (text: string) => text === "light" },
    asks: { answer: note("answer"), preview: note("preview"), ask: async () => ({ at: 0 }) },
    readings: { end: note("end"), open: () => ({ isOpen: true, add: note("add") }) },
    early: [],
    session: () => (isOpen ? active : null),
    dispatch: (message: Message, isUrgent = false) => void log.push(["dispatch", message, isUrgent]),
    leaveWith: note("leaveWith"),
    notify: note("notify"),
    clipboardImage: async () => null,
    copy: async (text: string) => ok(`copied ${text}`),
    edit: async (text: string) => `${text}!`,
    ...more,
  }
  const perform = actionPerformer(deps as unknown as Deps)
  return {
    deps,
    async after(...actions: readonly Action[]): Promise<readonly unknown[]> {
      actions.forEach(perform)
      await new Promise(setImmediate)
      return log.splice(0)
    },
  }
}

const message = (text: string) => ({ kind: "send", text, images: [], isLater: false }) as const
const target = { kind: "command", from: 1, to: 1, typed: "", command: "" } as const
const hint = (text: string, isUrgent = true) => ["dispatch", { kind: "hint", text }, isUrgent]

test("actions reach the open session", async () => {
  const { after } = performing()
  for (const [action, call] of [
    [message("hi"), ["send", message("hi")]],
    [{ kind: "stop" }, ["abort"]],
    [{ kind: "leave", isInterrupted: true }, ["leave", true]],
    [{ kind: "leave", isInterrupted: false }, ["leave", false]],
    [{ kind: "take-back" }, ["takeBack"]],
    [{ kind: "complete", target }, ["complete", target]],
    [{ kind: "next-permission" }, ["nextPermission"]],
    [{ kind: "next-thinking" }, ["nextThinking"]],
    [{ kind: "background" }, ["background"]],
    [{ kind: "answer", id: "q", value: { key: "y" } }, ["answer", "q", { key: "y" }]],
    [{ kind: "preview", id: "q", of: 2 }, ["preview", "q", 2]],
    [{ kind: "read-end", id: 3, key: "u" }, ["end", 3, "u"]],
    [{ kind: "redraw" }, ["redraw"]],
    [{ kind: "suspend" }, ["suspend"]],
    [{ kind: "reply", text: "light" }, ["redraw"]],
    [{ kind: "warn-exit" }, hint("(Ctrl+C again exits)", false)],
    [{ kind: "notify", about: "end" }, ["notify", "The run has ended."]],
    [{ kind: "notify", about: "question" }, ["notify", "A question waits for an answer."]],
  ] as const)
    assert.deepEqual(await after(action), [call], JSON.stringify(action))
  assert.deepEqual(await after({ kind: "reply", text: "the same" }), [])
})

test("before the session is open messages wait, leaving ends the program, and other actions have no effect", async () => {
  const { after, deps } = performing({ isOpen: false })
  const waiting = (...texts: readonly string[]) => ["dispatch", { kind: "waiting", texts }, false]
  assert.deepEqual(await after(message("one"), message("two")), [waiting("one"), waiting("one", "two")])
  assert.deepEqual(deps.early, [message("one"), message("two")])
  assert.deepEqual(await after({ kind: "leave", isInterrupted: true }), [["leaveWith", 130]])
  assert.deepEqual(await after({ kind: "leave", isInterrupted: false }), [["leaveWith", 0]])
  assert.equal(INTERRUPTED, 130)
  for (const kind of ["stop", "take-back", "next-permission", "next-thinking", "background", "transcript"] as const)
    assert.deepEqual(await after({ kind }), [], kind)
  assert.deepEqual(await after({ kind: "complete", target }), [])
})

test("a copied text is reported, and so is why it was not", async () => {
  assert.deepEqual(await performing().after({ kind: "copy-text", text: "x" }), [hint("copied x")])
  const copy = async () => usage(phrase`no clipboard`)
  assert.deepEqual(await performing({ copy }).after({ kind: "copy-text", text: "x" }), [hint("gong: no clipboard")])
})

test("an image of the clipboard is inserted; without one that is said", async () => {
  const image = { mimeType: "image/png", data: "AA" }
  assert.deepEqual(await performing({ clipboardImage: async () => image }).after({ kind: "paste-image" }), [
    ["dispatch", { kind: "image", image }, true],
  ])
  const none = [hint("there is no image in the clipboard, or no program to read it")]
  assert.deepEqual(await performing().after({ kind: "paste-image" }), none)
  const failing = () => Promise.reject(new Error("no"))
  assert.deepEqual(await performing({ clipboardImage: failing }).after({ kind: "paste-image" }), none)
})

test("the text is edited by another program, and stays if that failed or changed nothing", async () => {
  const edited = (edit?: (text: string) => Promise<string | null>) =>
    performing(edit === undefined ? {} : { edit }).after({ kind: "edit-externally" })
  assert.deepEqual(await edited(), [["lend"], ["dispatch", { kind: "text", text: "draft!" }, true]])
  assert.deepEqual(await edited(async (text) => text), [["lend"]])
  const failed = [["lend"], hint("the editor failed; the text is unchanged")]
  assert.deepEqual(await edited(async () => null), failed)
  assert.deepEqual(await edited(() => Promise.reject(new Error("no"))), failed)
  const failing = () => Promise.reject(new Error("no"))
  assert.deepEqual(await performing({ edit: failing }).after({ kind: "edit-text", text: "x" }), [["lend"]])
})

test("earlier messages are offered from the newest on, in one row each", async () => {
  const searching = async (value: unknown) => {
    const asked: unknown[] = []
    const asks = { ask: async ({ form }: { form: { rows: unknown } }) => (asked.push(form.rows), value) }
    const performer = performing({ asks })
    return { asked, log: await performer.after({ kind: "search-history" }) }
  }
  const found = await searching({ at: 0 })
  assert.deepEqual(found.asked, [["two lines", "one"]])
  assert.deepEqual(found.log, [["dispatch", { kind: "text", text: "two\nlines" }, true]])
  for (const value of [null, { at: 7 }, { key: "x" }]) assert.deepEqual((await searching(value)).log, [])
})

test("a transcript that cannot be read is reported", async () => {
  const { after } = performing()
  const all: unknown[] = [...(await after({ kind: "transcript" }))]
  for (let turns = 0; turns < 2_000 && all.length === 0; turns++) all.push(...(await after()))
  assert.match(JSON.stringify(all[0]), /"hint","text":"gong: TypeError/)
})

/** Runs a key command of a session; `call` answers its calls. */
async function keyCommand(
  name: "nextPermission" | "nextThinking" | "background",
  session: object,
  call: (name: string, args: object) => Promise<object> = async () => ({ ok: true, data: { jobs: [] } }),
) {
  const log: unknown[] = []
  const controller = {
    current: { session },
    call: (command: string, args: object) => (log.push([command, args]), call(command, args)),
  }
  const commands = createKeyCommands({
    t: english,
    controller,
    dispatch: (one: Message, isUrgent: boolean) => void log.push([one.kind === "hint" ? one.text : one, isUrgent]),
    print: (text: string) => void log.push(["print", text]),
    changed: () => void log.push(["changed"]),
  } as unknown as Parameters<typeof createKeyCommands>[0])
  commands[name]()
  await new Promise(setImmediate)
  return log
}

test("a key selects the next permission level: ask, auto, plan, and ask after full", async () => {
  for (const [permission, level] of [
    ["ask", "auto"],
    ["auto", "plan"],
    ["plan", "ask"],
    ["full", "ask"],
  ])
    assert.deepEqual(await keyCommand("nextPermission", { permission }), [
      ["set_permission", { level }],
      ["changed"],
      [`permission level: ${level}`, true],
    ])
})

test("a key selects the next thinking level, and off after the last", async () => {
  for (const [thinking, level] of [
    ["off", "minimal"],
    ["high", "xhigh"],
    ["xhigh", "off"],
  ])
    assert.deepEqual(await keyCommand("nextThinking", { selection: { thinking } }), [
      ["set_thinking_level", { level }],
      ["changed"],
      [`thinking level: ${level}`, true],
    ])
})

test("a refused command is a hint, an error is printed, and moved commands are named", async () => {
  const refused = async () => ({ ok: false, error: { code: "not_allowed", message: "not here" } })
  for (const [name, session] of [
    ["nextPermission", { permission: "ask" }],
    ["nextThinking", { selection: { thinking: "off" } }],
  ] as const) {
    const log = await keyCommand(name, session, refused)
    assert.deepEqual(log.at(-1), ["not here", true])
  }
  assert.deepEqual((await keyCommand("background", {})).at(-1), ["no command is running", true])
  assert.deepEqual((await keyCommand("background", {}, refused)).at(-1), ["no command is running", true])
  const jobs = [
    { number: 1, title: "a" },
    { number: 2, title: "b" },
  ]
  const moved = await keyCommand("background", {}, async () => ({ ok: true, data: { jobs } }))
  assert.deepEqual(moved.at(-1), ["job 1: a · job 2: b", true])
  const broken = await keyCommand("background", {}, () => Promise.reject(new Error("no")))
  assert.deepEqual(broken.slice(1), [["print", "gong: Error: no"]])
})
