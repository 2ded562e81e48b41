import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments, type TodoItem } from "@gong/spec"
import { builtInDeclarations } from "../../src/index.ts"
import { createTodoTool } from "../../src/todo/tool.ts"
import { renderersOf, summaryOf } from "../../src/render/index.ts"
import { context, messages } from "../workspace.ts"

const tool = createTodoTool()

async function call(args: Readonly<Record<string, unknown>>) {
  const checked = await checkArguments(tool.parameters, tool.mapArguments?.(args) ?? args)
  return checked.ok ? tool.execute("c", checked.value as never, context()) : checked.errors.join("; ")
}

async function problem(args: Readonly<Record<string, unknown>>): Promise<string> {
  const result = await call(args)
  return typeof result === "string" ? result : messages(result)
}

const list: readonly TodoItem[] = [
  { content: "look", status: "completed" },
  { content: "change", status: "in_progress" },
  { content: "test", status: "pending" },
]

test("the list is returned as text for the model and as data for the user", async () => {
  const result = await call({ todos: list })
  assert.ok(typeof result !== "string")
  assert.equal(messages(result), "1 of 3 done\n[x] look\n[>] change\n[ ] test")
  assert.deepEqual(result.details, { todos: list })
  const empty = await call({ todos: [] })
  assert.equal(typeof empty === "string" ? empty : messages(empty), "nothing to do")
})

test("other argument names are accepted, and each item is one line", async () => {
  const result = await call({ items: ["a\n  b ", { title: "c", status: "done" }, { text: "d", status: "todo" }] })
  assert.equal(typeof result === "string" ? result : messages(result), "1 of 3 done\n[ ] a b\n[x] c\n[ ] d")
  assert.match(await problem({ todos: [{ content: "x", status: "later" }] }), /status/)
  assert.match(await problem({ todos: [{ content: "", status: "pending" }] }), /content/)
  assert.match(await problem({}), /todos/)
})

test("a list is limited in items and characters", async () => {
  const many = Array.from({ length: 51 }, () => ({ content: "x", status: "pending" }))
  assert.match(await problem({ todos: many }), /todos/)
  const long = await call({
    todos: Array.from({ length: 50 }, () => ({ content: "x".repeat(100), status: "pending" })),
  })
  assert.ok(typeof long !== "string")
  assert.match(messages(long), /^The list was not changed: it has \d+ characters, at most 4000/)
  assert.deepEqual([long.isError, long.details], [true, null])
})

test("it is rendered as a list with dimmed done items, and as progress in a single row", async () => {
  const result = await call({ todos: list })
  assert.ok(typeof result !== "string")
  const { lines } = renderersOf(tool).renderResult(result, {})
  assert.deepEqual(
    lines.map(([span]) => [span?.text, span?.style]),
    [
      ["1 of 3 done", "dim"],
      ["[x] look", "dim"],
      ["[>] change", "title"],
      ["[ ] test", "plain"],
    ],
  )
  assert.equal(summaryOf(builtInDeclarations("todo"), { ...result, status: "ok" }).text, "1 of 3 done")
  assert.equal(tool.title({ todos: list }), "3 things")
})
