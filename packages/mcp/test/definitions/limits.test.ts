import assert from "node:assert/strict"
import { test } from "node:test"
import { changeLines, visibleLine, visibleText } from "@gong/mcp"
import { changesOf, withdraw } from "../../src/definitions/changes.ts"
import { checkPrompts } from "../../src/definitions/check-prompts.ts"
import { checkTools, type ServerTool } from "../../src/definitions/check-tools.ts"
import { exposedName } from "../../src/definitions/names.ts"

const inputSchema = { type: "object" }
const named = (name: unknown, more: object = {}) => ({ name, inputSchema, ...more })
const check = (...listed: readonly unknown[]) => checkTools("s", listed)

test("a tool has a name of 1 to 128 visible ASCII characters without spaces", () => {
  const hundred28 = "n".repeat(128)
  assert.deepEqual(
    check(named("a!"), named("b~"), named(hundred28)).tools.map(({ name }) => name),
    ["a!", "b~", hundred28],
  )
  assert.deepEqual(
    check(named("Upper")).tools.map(({ exposed }) => exposed),
    ["s__Upper"],
  )
  for (const [name, problem] of [
    ["", 'the name "" is not 1 to 128 characters long'],
    ["n".repeat(129), `the name "${"n".repeat(60)}" is not 1 to 128 characters long`],
    ["a b", 'the name "a b" is not allowed'],
    [" a", 'the name " a" is not allowed'],
    ["a\u007f", 'the name "a\u007f" is not allowed'],
    ["\u00e9", 'the name "\u00e9" is not allowed'],
    ["constructor", 'the name "constructor" is not allowed'],
    ["valueOf", 'the name "valueOf" is not allowed'],
    [1, "a tool has no name"],
  ] as const)
    assert.deepEqual(check(named(name)), { tools: [], problems: [problem] })
  assert.deepEqual(check(null).problems, ["a tool has no name"])
})

test("exactly 200 tools and 20 problems are no more than allowed", () => {
  assert.deepEqual(
    checkTools(
      "s",
      Array.from({ length: 200 }, (_, at) => named(`t${at}`)),
    ).problems,
    [],
  )
  const faults = (count: number) =>
    checkTools(
      "s",
      Array.from({ length: count }, () => null),
    ).problems
  assert.equal(faults(20).length, 20)
  assert.deepEqual([faults(21).length, faults(21).at(-1)], [21, "1 more tools are left out"])
  assert.deepEqual([faults(25).length, faults(25).at(-1)], [21, "5 more tools are left out"])
})

test("the description of a tool is cut at 2,048 visible characters, trimmed, and empty if it is no text", () => {
  const description = (given: unknown) => check(named("a", { description: given })).tools[0]?.description
  assert.equal(description("x".repeat(2_048)), "x".repeat(2_048))
  assert.equal(description("x".repeat(2_049)), `${"x".repeat(2_044)} ...`)
  assert.equal(description(" a\n"), "a")
  assert.equal(description(1), "")
  assert.equal(description(undefined), "")
  assert.equal(description("\u200b".repeat(4_000) + "y".repeat(200)), "y".repeat(96))
})

test("only a tool that requires tasks is one that needs a task", () => {
  const execution = (taskSupport: unknown) => check(named("a", { execution: { taskSupport } })).tools[0]?.needsTask
  assert.deepEqual(["required", "optional", "forbidden", 1].map(execution), [true, undefined, undefined, undefined])
  assert.equal(check(named("a", { execution: "required" })).tools[0]?.needsTask, undefined)
})

test("names of exactly 64 characters are exposed unchanged, longer ones end with a hash of the tool's name", () => {
  assert.equal(exposedName("s", "a".repeat(61)), `s__${"a".repeat(61)}`)
  assert.equal(exposedName("s", "a".repeat(62)), `s__${"a".repeat(52)}_078ca623`)
  assert.equal(exposedName("s", "b".repeat(100)), `s__${"b".repeat(52)}_5412e145`)
})

test("prompts: names of 1 to 64 typable characters, 200 prompts, 20 arguments, descriptions of 200 characters", () => {
  const names = (...all: readonly string[]) => checkPrompts(all.map((name) => ({ name }))).map(({ name }) => name)
  assert.deepEqual(names("a", "A.b-c_9", "n".repeat(64), "n".repeat(65), "", "a b", "-a!", "!a"), [
    "a",
    "A.b-c_9",
    "n".repeat(64),
  ])
  const many = Array.from({ length: 201 }, (_, at) => ({ name: `p${at}` }))
  assert.deepEqual([checkPrompts(many).length, checkPrompts(many).at(-1)?.name], [200, "p199"])
  const arguments_ = Array.from({ length: 21 }, (_, at) => ({ name: `a${at}`, required: at === 0 ? true : "yes" }))
  const [prompt] = checkPrompts([{ name: "p", description: "d".repeat(201), arguments: arguments_ }])
  assert.equal(prompt?.description, `${"d".repeat(197)}...`)
  assert.equal(prompt?.arguments.length, 20)
  assert.deepEqual(prompt?.arguments.slice(0, 2), [
    { name: "a0", required: true },
    { name: "a1", required: false },
  ])
  assert.deepEqual(checkPrompts([{ name: "p", description: 1, arguments: { name: "a" } }, null, { name: 1 }]), [
    { name: "p", description: "", arguments: [] },
  ])
})

test("a line has at most its length, of the first four times as many characters", () => {
  assert.equal(visibleLine("abcdefghij", 10), "abcdefghij")
  assert.equal(visibleLine(`${" ".repeat(39)}ab`, 10), "a")
  assert.equal(visibleText("\u0008\u000b\u001f\u007f\u009f\u2060\ufeff"), "")
})

const tool = (name: string, description = "", schema: object = {}): ServerTool => ({
  name,
  exposed: `s__${name}`,
  description,
  schema: { type: "object", ...schema },
})

test("the lines of added, returned, removed and changed tools", () => {
  const lines = (before: readonly ServerTool[], now: readonly ServerTool[], withdrawn: readonly string[] = []) =>
    changeLines(changesOf({ tools: before, withdrawn }, now))
  assert.deepEqual(lines([], [tool("a", "one\ntwo")]), ["+ a", "+   one", "+   two", '+   {"type":"object"}'])
  assert.deepEqual(lines([tool("a", "d")], [tool("a", "d")], ["a"]), ["+ a", "+   d", '+   {"type":"object"}'])
  assert.deepEqual(lines([tool("a", "d")], []), ["- a", "-   d", '-   {"type":"object"}'])
  assert.deepEqual(lines([tool("a", "d", { x: 1 })], [tool("a", "d", { x: 2 })]), [
    "~ a",
    '-   {"type":"object","x":1}',
    '+   {"type":"object","x":2}',
  ])
  assert.deepEqual(lines([tool("a", "d\n- a\nsame")], [tool("a", "e\nsame")]), ["~ a", "-   d", "-   - a", "+   e"])
})

test("withdrawn names are sorted and listed once; a pinned tool that is withdrawn and gone is no change", () => {
  const tools = [tool("c"), tool("a"), tool("b")]
  const once = withdraw({ tools, withdrawn: [] }, [tool("b")])
  assert.deepEqual(once, { tools, withdrawn: ["a", "c"] })
  assert.deepEqual(withdraw(once, []).withdrawn, ["a", "b", "c"])
  assert.deepEqual(changesOf(once, [tool("b")]), [])
})
