import assert from "node:assert/strict"
import { test } from "node:test"
import { assert as promised } from "../../src/assert.ts"
import { baseUrlFault } from "../../src/model/base-url.ts"
import { englishOf, filled, isPhrase, phrase } from "../../src/text/phrase.ts"
import { noWayAround, refusalForPeople, sayThePlan } from "../../src/tool/refusal-text.ts"
import { changedByCommand } from "../../src/model/seen.ts"
import { skillText, skillTextIn } from "../../src/tool/skill-text.ts"
import { todoHead, todoLines, todosIn } from "../../src/tool/todo.ts"

test("a base URL has the scheme http or https and no fragment", () => {
  for (const url of ["http://h", "https://h/v1", "http://127.0.0.1:8080/v1?x=1"]) assert.equal(baseUrlFault(url), null)
  for (const url of ["", "h/v1", "ftp://h", "file:///x", "httpx://h", "mailto:x"])
    assert.equal(
      englishOf(baseUrlFault(url) ?? ""),
      `${url} is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.`,
    )
  const fault = "https://h/v1#a has a fragment, which is never sent. Leave out #a."
  assert.equal(englishOf(baseUrlFault("https://h/v1#a") ?? ""), fault)
})

test("the placeholders of a phrase are filled in order; unknown ones stay", () => {
  const inner = phrase`the file ${"a"}`
  const whole = phrase`${inner}: ${2} of ${null} ${undefined}`
  assert.deepEqual([inner.id, whole.id, whole.values.length], ["the file {0}", "{0}: {1} of {2} {3}", 4])
  assert.equal(englishOf(whole), "the file a: 2 of null undefined")
  assert.equal(englishOf(phrase("in a table {1} {0}", "x", "y")), "in a table y x")
  assert.equal(filled("{0} {2} {x} {10}", ["a", "{0}"]), "a {2} {x} {10}")
})

test("the text of a refusal for people leaves out the sentences for the model", () => {
  assert.equal(refusalForPeople(`Refused: no. ${noWayAround}`), "Refused: no.")
  assert.equal(refusalForPeople(`Refused: no. ${sayThePlan} More.`), "Refused: no. More.")
  assert.equal(refusalForPeople("Refused: no."), "Refused: no.")
})

test("a change is a command's from one tick before its start to the millisecond of its end", () => {
  const commands = [
    { from: 100, to: 200 },
    { from: 1_000, to: 1_000 },
  ]
  const during = [90, 100, 150, 200, 200.9, 990, 1_000.5]
  for (const at of during) assert.equal(changedByCommand(commands, at), true, `${at}`)
  for (const at of [0, 89.9, 201, 500, 989, 1_001]) assert.equal(changedByCommand(commands, at), false, `${at}`)
  assert.equal(changedByCommand([], 100), false)
})

test("the text of a skill is found at the beginning of a message, with its name and location unescaped", () => {
  const [name, place] = ['a"<b>&amp;', "/x/&quot;<y>\n z"]
  const text = skillText(name, place, ["one", "", "</skill> two"])
  assert.equal(
    text,
    '<skill name="a&quot;&lt;b&gt;&amp;amp;" location="/x/&amp;quot;&lt;y&gt;  z">\none\n\n</skill> two\n</skill>',
  )
  const found = { name, location: "/x/&quot;<y>  z", end: text.length }
  assert.deepEqual(skillTextIn(text), found)
  assert.deepEqual(skillTextIn(`${text}\n\nand do it`), found)
  assert.deepEqual(skillTextIn(skillText("", "/x", [])), { name: "", location: "/x", end: 39 })
  for (const other of [
    ` ${text}`,
    '<skill name="a" location="/x">\nopen',
    '<skill name="a" location="">\n\n</skill>',
    '<skill name="a" location="/x"> \n</skill>',
    "words",
    "",
  ])
    assert.equal(skillTextIn(other), null, other)
})

test("a to-do list is read from details that hold one, and rendered with its progress", () => {
  const todos = [
    { content: "a", status: "completed" },
    { content: "b", status: "in_progress" },
    { content: "c", status: "pending" },
  ] as const
  assert.equal(todosIn({ todos }), todos)
  assert.deepEqual(todosIn({ todos: [] }), [])
  for (const other of [null, [], "x", {}, { todos: {} }, { todos: [null] }, { todos: [{ content: "a", status: "?" }] }])
    assert.equal(todosIn(other), null)
  assert.equal(todosIn({ todos: [...todos, { content: 1, status: "pending" }] }), null)
  assert.deepEqual(todoLines(todos), ["1 of 3 done", "[x] a", "[>] b", "[ ] c"])
  assert.deepEqual(todoLines([]), ["nothing to do"])
  assert.equal(englishOf(todoHead(todos.slice(0, 1))), "1 of 1 done")
})

test("a failed assertion names its invariant, and one that holds passes", () => {
  promised("there", "one is there")
  assert.throws(() => promised(null, "one is there"), /^Error: Internal error in Gong: one is there$/)
})

test("stored data is a phrase only if all its values are texts, numbers, null or phrases", () => {
  const isIt = (value: unknown) => isPhrase(value as Readonly<Record<string, unknown>>)
  for (const values of [[], ["a", 1, null], [phrase`inner ${1}`]]) assert.equal(isIt({ id: "x", values }), true)
  for (const values of [
    null,
    "a",
    [true],
    [undefined],
    [() => 1],
    [{}],
    [{ id: "x" }],
    [[]],
    [{ id: "x", values: [true] }],
  ])
    assert.equal(isIt({ id: "x", values }), false, JSON.stringify(values))
  assert.equal(isIt({ id: 1, values: [] }), false)
})
