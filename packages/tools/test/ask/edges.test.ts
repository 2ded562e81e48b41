import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments, type Dialog, type DialogOutcome } from "@gong/spec"
import { createAskTool } from "../../src/ask/tool.ts"
import { createTodoTool } from "../../src/todo/tool.ts"
import { context, messages } from "../workspace.ts"

const ask = createAskTool()
const todo = createTodoTool()
const choices = [{ label: "a" }, { label: "b" }]

const valid = async (tool: { readonly parameters: typeof ask.parameters }, args: unknown) =>
  (await checkArguments(tool.parameters, args as never)).ok

/** The dialog and the answer for the model. */
async function asked(args: object, outcome: DialogOutcome | null) {
  const dialogs: Dialog[] = []
  const dialog = async (one: Dialog) => {
    dialogs.push(one)
    return outcome ?? assert.fail()
  }
  const result = await ask.execute(
    "c",
    { question: "q", choices, ...args },
    context(outcome === null ? {} : { dialog }),
  )
  return { dialogs, text: messages(result), result }
}

test("a question has 1 to 2,000 characters and 2 to 6 choices of up to 200, described in up to 500", async () => {
  const of = (question: string, count: number, label = 1, description = 0) => ({
    question,
    choices: Array.from({ length: count }, () => ({ label: "l".repeat(label), description: "d".repeat(description) })),
  })
  for (const [args, ok] of [
    [of("q", 2), true],
    [of("q", 6, 200, 500), true],
    [of("q".repeat(2_000), 2), true],
    [of("", 2), false],
    [of("q".repeat(2_001), 2), false],
    [of("q", 1), false],
    [of("q", 7), false],
    [of("q", 2, 0), false],
    [of("q", 2, 201), false],
    [of("q", 2, 1, 501), false],
    [{ question: "q" }, false],
    [{ choices }, false],
  ] as const)
    assert.equal(await valid(ask, args), ok)
})

test("a question is asked trimmed, with free text by default; equal or empty choices are refused", async () => {
  const by = { by: "user" } as DialogOutcome
  const { dialogs } = await asked(
    { question: " q\n", choices: [{ label: " a " }, { label: "b", description: "d" }] },
    by,
  )
  assert.deepEqual(dialogs, [
    { question: "q", choices: [{ label: "a" }, { label: "b", description: "d" }], freeText: true },
  ])
  assert.equal((await asked({ freeText: false }, by)).dialogs[0]?.freeText, false)
  for (const [labels, text] of [
    [["a", " a"], "Two of the choices are the same. Give each a label of its own."],
    [["a", " "], "One of the choices is empty. Give each a label."],
  ] as const) {
    const refused = await asked({ choices: labels.map((label) => ({ label })) }, by)
    assert.deepEqual([refused.text, refused.result.isError, refused.dialogs.length], [text, true, 0])
  }
})

test("each end of a dialog has its text, and is an error only without an answer in time or anybody", async () => {
  const nobody = "Decide yourself what is most likely wanted, say what you assumed, or stop and say what you need."
  for (const [outcome, text, isError, details] of [
    [{ by: "user", choice: "a" }, "The user chose: a", false, { choice: "a", text: null, by: "user" }],
    [
      { by: "user", choice: "a", text: "t" },
      "The user chose: a\nand said: t",
      false,
      { choice: "a", text: "t", by: "user" },
    ],
    [{ by: "user", text: "t" }, "The user said: t", false, { choice: null, text: "t", by: "user" }],
    [
      { by: "user" },
      "The user gave no answer to this. Go on without it, or stop.",
      false,
      { choice: null, text: null, by: "user" },
    ],
    [{ by: "timeout" }, `Nobody answered in time. ${nobody}`, true, { choice: null, text: null, by: "timeout" }],
    [{ by: "stop" }, "Operation aborted", true, null],
    [null, `Nobody is here to answer. ${nobody}`, true, null],
  ] as const) {
    const { result, text: shown } = await asked({}, outcome as DialogOutcome | null)
    assert.deepEqual([shown, result.isError, result.details], [text, isError, details])
  }
})

test("other names of arguments, and choices as plain strings, are accepted", () => {
  for (const name of ["prompt", "message"])
    assert.deepEqual(ask.mapArguments?.({ [name]: "q", options: ["a", { label: "b" }, 1] }), {
      question: "q",
      choices: [{ label: "a" }, { label: "b" }, 1],
    })
  assert.deepEqual(ask.mapArguments?.({ question: "q", prompt: "other", choices: "x" }), {
    question: "q",
    choices: "x",
  })
  assert.deepEqual([ask.title({ question: "q\nmore" }), ask.title({})], ["q ...", ""])
})

test("a list has at most 50 items, each with a text, and 4,000 characters in all", async () => {
  const items = (count: number, length = 1) =>
    Array.from({ length: count }, () => ({ content: "x".repeat(length), status: "pending" as const }))
  assert.deepEqual(
    await Promise.all(
      [items(50), items(51), items(1, 0), [{ content: "x", status: "later" }]].map((todos) => valid(todo, { todos })),
    ),
    [true, false, false, false],
  )
  const run = async (length: number) => todo.execute("c", { todos: items(1, length) }, context())
  const empty = messages(await run(1)).length - 1
  const most = await run(4_000 - empty)
  assert.deepEqual([most.isError, messages(most).length], [false, 4_000])
  const more = await run(4_001 - empty)
  assert.equal(more.isError, true)
  assert.match(messages(more), /^The list was not changed: it has 4001 characters, at most 4000 are kept\./)
})

test("items are one line; other names, plain strings and other words for a status are accepted", async () => {
  const result = await todo.execute("c", { todos: [{ content: " a\n  b ", status: "completed" }] }, context())
  assert.deepEqual(result.details, { todos: [{ content: "a b", status: "completed" }] })
  for (const name of ["todos", "items", "tasks"])
    assert.deepEqual(
      todo.mapArguments?.({
        [name]: ["a", { text: "b", status: "done" }, { title: "c", status: "todo" }, { content: "d" }, 1, null],
      }),
      {
        todos: [
          { content: "a", status: "pending" },
          { content: "b", status: "completed" },
          { content: "c", status: "pending" },
          { content: "d", status: "pending" },
          1,
          null,
        ],
      },
    )
  assert.deepEqual(todo.mapArguments?.({ todos: "x" }), { todos: "x" })
  assert.deepEqual([todo.title({ todos: [1] }), todo.title({ todos: [] }), todo.title({})], ["1 thing", "0 things", ""])
})
