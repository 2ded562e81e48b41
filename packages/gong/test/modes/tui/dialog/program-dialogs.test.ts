import assert from "node:assert/strict"
import { test } from "node:test"
import type { DialogRequest, PublishedStep } from "@gong/spec"
import { textOf } from "@gong/screen/row"
import type { Session } from "@gong/session/session"
import { ok } from "@gong/config/usage"
import { english } from "@gong/texts/translator"
import type { Dialog, DialogValue } from "../../../../src/modes/tui/dialog/dialog.ts"
import {
  type AskOptions,
  programDialogs,
  showQuestions,
  userDialogs,
} from "../../../../src/modes/tui/dialog/questions.ts"
import { defaultKeymap } from "../../../../src/modes/tui/input/keymap.ts"

type Asked = Pick<Dialog, "body" | "form"> & AskOptions

/** Dialogs that are answered in this order, and what they showed. */
function answering(...values: readonly DialogValue[]) {
  const left = [...values]
  const asked: Asked[] = []
  const ask = async (dialog: Pick<Dialog, "body" | "form">, options: AskOptions = {}): Promise<DialogValue> => {
    asked.push({ ...dialog, ...options })
    return left.shift() ?? null
  }
  return { ask, asked, dialogs: userDialogs(english, ask, async () => ok(""), defaultKeymap) }
}

const formOf = (asked: Asked | undefined) => {
  assert.ok(asked)
  return asked.form
}

test("a confirmation is only a yes", async () => {
  for (const [value, confirmed] of [
    [{ key: "y" }, true],
    [{ key: "n" }, false],
    [{ line: "y" }, false],
    [null, false],
  ] as const)
    assert.equal(await answering(value).dialogs.confirm("Sure?"), confirmed)
  const { dialogs, asked } = answering()
  await dialogs.confirm("Sure?")
  assert.deepEqual(asked[0]?.form, {
    kind: "keys",
    prompt: "Sure?",
    keys: [
      { key: "y", label: "[y]es", needsReading: true },
      { key: "n", label: "[n]o", needsReading: false },
    ],
  })
})

test("a line is trimmed, and an empty one is none; a secret is not shown", async () => {
  for (const [value, line] of [
    [{ line: " a " }, "a"],
    [{ line: "  " }, null],
    [{ key: "a" }, null],
    [null, null],
  ] as const)
    assert.equal(await answering(value).dialogs.line("Name: "), line)
  const { dialogs, asked } = answering()
  await dialogs.line("a")
  await dialogs.line("b", true)
  assert.deepEqual(
    asked.map(({ form }) => form.kind === "line" && [form.prompt, form.isSecret]),
    [
      ["a", false],
      ["b", true],
    ],
  )
})

test("the keys of the conversation are listed with their descriptions", () => {
  const { dialogs } = answering()
  assert.deepEqual(dialogs.keys[0], ["enter", "sends; while a run works: after the running tool"])
  assert.equal(dialogs.keys[1]?.[0], "alt+enter, ctrl+q")
})

const rows = ["one", "two", "three"]

test("a row is chosen by its index, from the given one on; other answers choose none", async () => {
  assert.equal(await answering({ at: 1 }).dialogs.choose("Which?", rows), 1)
  for (const value of [null, { key: "y" }, { at: 3 }] as const)
    assert.equal(await answering(value).dialogs.choose("Which?", rows), null)
  const { dialogs, asked } = answering()
  await dialogs.choose("Which\none?", rows, { at: 2 })
  await dialogs.choose("Which?", rows, { at: -1 })
  await dialogs.choose("Which?", [])
  assert.deepEqual(
    asked.map(({ body }) => body.map(textOf)),
    [["Which", "one?"], ["Which?"]],
  )
  assert.deepEqual(
    asked.map(({ form }) => form.kind === "pick" && [form.at, form.rows, form.actions, form.preview]),
    [
      [2, rows, [], null],
      [0, rows, [], null],
    ],
  )
})

test("rows are renamed and removed, and then the list is asked for again", async () => {
  const calls: string[] = []
  const options = {
    rename: async (at: number) => (calls.push(`rename ${at}`), at === 0 ? "first" : null),
    remove: async (at: number) => (calls.push(`remove ${at}`), at !== 1),
  }
  const { dialogs, asked } = answering(
    { at: 0, action: "rename" },
    { at: 1, action: "rename" },
    { at: 1, action: "remove" },
    { at: 2, action: "remove" },
    { at: 0, action: "remove" },
    { at: 0 },
  )
  assert.equal(await dialogs.choose("Which?", rows, options), 1)
  assert.deepEqual(calls, ["rename 0", "rename 1", "remove 1", "remove 2", "remove 0"])
  assert.deepEqual(
    asked.map(({ form }) => form.kind === "pick" && [form.at, ...form.rows]),
    [
      [0, "one", "two", "three"],
      [0, "first", "two", "three"],
      [1, "first", "two", "three"],
      [1, "first", "two", "three"],
      [1, "first", "two"],
      [0, "two"],
    ],
  )
  const form = formOf(asked[0])
  assert.deepEqual(form.kind === "pick" && form.actions.map(({ key, name, label }) => [key, name, label]), [
    ["ctrl+d", "remove", "Ctrl+D deletes"],
    ["ctrl+r", "rename", "Ctrl+R renames"],
  ])
  const all = answering({ at: 0, action: "remove" })
  assert.equal(await all.dialogs.choose("Which?", ["one"], options), null)
  assert.equal(all.asked.length, 1, "nothing is left to choose")
})

test("lines about a row are those of the whole list", async () => {
  const { dialogs, asked } = answering({ at: 0, action: "remove" }, null)
  await dialogs.choose("Which?", rows, { preview: async (at) => [`about ${at}`], remove: async () => true })
  const form = formOf(asked[1])
  assert.deepEqual(form.kind === "pick" && form.preview, { of: -1, lines: [] })
  assert.deepEqual(await asked[0]?.preview?.(0), ["about 0"])
  assert.deepEqual(await asked[1]?.preview?.(0), ["about 1"])
})

test("questions of the program: a list, a line as it was typed, and a key of a label", async () => {
  const program = (...values: readonly DialogValue[]) => {
    const { ask, asked } = answering(...values)
    return { asked, ...programDialogs(english, ask) }
  }
  assert.equal(await program({ at: 2 }).choose({ question: "Which?", rows, enter: "" }), 2)
  assert.deepEqual(
    [await program({ line: " a " }).line("> "), await program(null).line("> "), await program({ key: "a" }).line("> ")],
    [" a ", null, null],
  )
  const labels = ["[e]nd it", "s[t]ay", "none"]
  const { key, asked } = program({ key: "t" })
  assert.equal(await key({ prompt: "?", labels }), "t")
  assert.deepEqual(asked[0]?.form, {
    kind: "keys",
    prompt: "?",
    keys: [
      { key: "e", label: "[e]nd it", needsReading: false },
      { key: "t", label: "s[t]ay", needsReading: false },
      { key: "", label: "none", needsReading: false },
    ],
  })
  assert.deepEqual(
    [await program(null).key({ prompt: "?", labels }), await program({ at: 0 }).key({ prompt: "?", labels })],
    [null, null],
  )
})

/** The answers that a session gets, for dialogs that are answered like this. */
function session(...values: readonly DialogValue[]) {
  const { ask, asked } = answering(...values)
  const replies: unknown[] = []
  let publish: (step: PublishedStep) => void = () => undefined
  let isClosed = false
  const fake = {
    subscribe(listener: (step: PublishedStep) => void) {
      publish = listener
      return () => void (isClosed = true)
    },
    answer: (id: string, answer: unknown) => void replies.push([id, answer]),
    reply: (id: string, answer: unknown) => void replies.push([id, answer]),
  } as unknown as Session
  const close = showQuestions(english, fake, "/repo", ask)
  return {
    asked,
    replies,
    close,
    isClosed: () => isClosed,
    async publish(...steps: readonly object[]) {
      for (const step of steps) publish(step as PublishedStep)
      await new Promise(setImmediate)
    },
  }
}

const request = (more: Partial<DialogRequest>) => ({
  notification: { code: "ui_request", id: "u1", question: "Which\ncolour?", choices: [], freeText: false, ...more },
})
const choices = [{ label: "red" }, { label: "blue", description: "like the sky" }]

test("a dialog of a tool is answered by a choice, or by a text", async () => {
  for (const [more, values, answer] of [
    [{ choices }, [{ at: 1 }], { choice: "blue" }],
    [{ choices }, [null], {}],
    [{ choices, freeText: true }, [{ at: 2 }, { line: " green " }], { text: "green" }],
    [{ choices, freeText: true }, [{ key: "x" }], {}],
    [{}, [{ line: "  " }], {}],
    [{}, [null], {}],
    [{}, [{ line: "a text" }], { text: "a text" }],
  ] as const) {
    const { publish, replies } = session(...values)
    await publish(request(more))
    assert.deepEqual(replies, [["u1", answer]], JSON.stringify([more, values]))
  }
})

test("a dialog of a tool shows its question, its choices, and a row for a text if it takes one", async () => {
  const { publish, asked } = session({ at: 2 }, null)
  await publish(request({ choices, freeText: true, secret: true }))
  const [list, line] = asked
  assert.deepEqual(list?.body.map(textOf), ["Which", "colour?"])
  assert.deepEqual(list?.form.kind === "pick" && list.form.rows, ["red", "blue: like the sky", "type an answer"])
  assert.deepEqual(line?.form.kind === "line" && [line.form.prompt, line.form.isSecret], ["> ", true])
  const closed = session(null)
  await closed.publish(request({ choices }))
  assert.deepEqual(closed.asked[0]?.form.kind === "pick" && closed.asked[0].form.rows, ["red", "blue: like the sky"])
  await closed.publish(request({}))
  const [, open] = closed.asked
  assert.equal(open?.form.kind === "line" && open.form.isSecret, false)
})

test("an ended question is closed, also one of a task; other steps show none", async () => {
  for (const [start, end] of [
    [request({}), { notification: { code: "ui_end", id: "u1" } }],
    [
      { inside: "t", step: request({}) },
      { inside: "t", step: { notification: { code: "permission_end", id: "u1" } } },
    ],
  ] as const) {
    const { publish, asked } = session()
    await publish({ entries: [] }, { notification: { code: "queue" } }, start)
    assert.deepEqual([asked.length, asked[0]?.signal?.aborted], [1, false])
    await publish({ notification: { code: "ui_end", id: "other" } })
    assert.equal(asked[0]?.signal?.aborted, false)
    await publish(end)
    assert.equal(asked[0]?.signal?.aborted, true)
  }
  const { close, isClosed } = session()
  close()
  assert.equal(isClosed(), true)
})

test("a permission question has the keys that its request permits", async () => {
  const permission = (more: object) => ({
    notification: {
      code: "permission_request",
      id: "p1",
      toolCallId: "c1",
      tool: "bash",
      args: { command: "ls" },
      title: "ls",
      reason: "level ask",
      choices: ["once", "session", "no"],
      ...more,
    },
  })
  const keysFor = async (more: object) => {
    const { publish, asked } = session({ key: "n" })
    await publish(permission(more))
    const form = formOf(asked[0])
    return (
      form.kind === "keys" &&
      form.keys.map(({ key, label, needsReading }) => `${label}${needsReading ? "!" : ""} ${key}`)
    )
  }
  assert.deepEqual(await keysFor({}), ["[y]es! y", "[s]ession! s", "[n]o n", "[e]xplain e"])
  assert.deepEqual(await keysFor({ choices: ["once", "session", "always", "no"], widerRule: "bash(ls *)" }), [
    "[y]es! y",
    "[s]ession! s",
    "[a]lways! a",
    "[w]ider! w",
    "[n]o n",
    "[e]xplain e",
  ])
  const { publish, asked, replies } = session({ key: "e" }, null)
  await publish(permission({}))
  assert.deepEqual(replies, [["p1", { choice: "no", message: "" }]])
  assert.equal(asked[1]?.form.kind === "line" && asked[1].form.prompt, "Reason: ")
  assert.equal(asked[0]?.body[0]?.[0]?.role, "strong")
  assert.ok(asked[0]?.body.map(textOf).some((row) => row.includes("ls")))
  const wider = session({ key: "w" }, { key: "b" }, { line: "x" })
  await wider.publish(permission({ widerRule: "bash(ls *)", rulesFile: "/rules.json" }))
  const form = formOf(wider.asked[1])
  assert.deepEqual(
    form.kind === "keys" && [form.prompt, ...form.keys.map(({ key, needsReading }) => [key, needsReading])],
    ["Allow bash(ls *): for this session, or always (in /rules.json)?", ["s", true], ["a", true], ["b", false]],
  )
  assert.deepEqual(wider.replies, [["p1", { choice: "no" }]])
})
