import assert from "node:assert/strict"
import { test } from "node:test"
import { findCalls } from "../../src/text-calls/find-calls.ts"
import { callsOfValue } from "../../src/text-calls/formats.ts"
import { holdBack } from "../../src/text-calls/hold-back.ts"
import { jsonValueAt } from "../../src/text-calls/json-value.ts"
import { fenceIn, markIn, marksIn } from "../../src/text-calls/marks.ts"

const tools = [
  { name: "ls", description: "", parameters: { type: "object", properties: { path: { type: "string" }, n: {} } } },
  { name: "x", description: "", parameters: { type: "object" } },
]

/** The segments as texts, and calls as their names and arguments. */
function found(text: string): readonly string[] | null {
  return (
    findCalls(text, tools)?.map((one) =>
      "text" in one ? one.text : `${one.call.name} ${JSON.stringify(one.call.arguments)}`,
    ) ?? null
  )
}

const ls = (path: string) => `{"name":"ls","arguments":{"path":"${path}"}}`

test("a JSON value is read from its bracket to the matching one; brackets in texts do not count", () => {
  for (const [text, at, value, end] of [
    ['{"a":1} b', 0, { a: 1 }, 7],
    ["x[1,[2]]y", 1, [1, [2]], 8],
    ['{"a":"}"}', 0, { a: "}" }, 9],
    ['{"a":"\\"}"}', 0, { a: '"}' }, 11],
    ['{"a":"\\\\"}x', 0, { a: "\\" }, 10],
    ['{"a":"1\n2"}', 0, { a: "1\n2" }, 11],
    ["{}", 0, {}, 2],
  ] as const)
    assert.deepEqual(jsonValueAt(text, at), { value, end }, text)
  for (const text of ["1", '"a"', "x{}", "{", '{"a":', "[1\n2]", '["a\nb"]', ""])
    assert.equal(jsonValueAt(text, 0), null, text)
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
  assert.equal(jsonValueAt(nested(501), 0), null)
  assert.equal(jsonValueAt(nested(500), 0)?.end, 1000)
})

test("the calls of a JSON value: each known name of their fields", () => {
  const call = (name: string, args: object) => ({ name, arguments: args, texts: false })
  for (const [value, expected] of [
    [{ name: "a", arguments: { b: 1 } }, [call("a", { b: 1 })]],
    [{ name: "functions.a", args: { b: 1 } }, [call("a", { b: 1 })]],
    [{ tool_name: "a", parameters: { b: 1 } }, [call("a", { b: 1 })]],
    [{ tool: "a" }, [call("a", {})]],
    [{ function: "a", arguments: '{"b":1}' }, [call("a", { b: 1 })]],
    [{ function: { name: "a", arguments: {} } }, [call("a", {})]],
    [
      [{ name: "a" }, { name: "b" }],
      [call("a", {}), call("b", {})],
    ],
    [{ tool_calls: [{ name: "a" }] }, [call("a", {})]],
    [{ name: "my.functions.a" }, [call("my.functions.a", {})]],
    [[], null],
    [{ tool_calls: [] }, null],
    [[{ name: "a" }, 1], null],
    [{ name: 1 }, null],
    [{ name: "a", arguments: [] }, null],
    [{ name: "a", arguments: "no" }, null],
    [{}, null],
    ["a", null],
    [null, null],
  ] as const)
    assert.deepEqual(callsOfValue(value), expected, JSON.stringify(value))
})

test("a mark counts at the beginning of a line, one token of a vocabulary also within it, neither in a quotation", () => {
  for (const [line, whole, at] of [
    ["<tool_call>", true, 0],
    ["  <tool_call>x", true, 2],
    ["   <tool_call>", true, 3],
    ["    <tool_call>", true, null],
    ["\t<tool_call>", true, null],
    ["  \t<tool_call>", true, null],
    ["> <tool_call>", true, null],
    ["   > [TOOL_CALLS]", true, null],
    ["a <tool_call>", true, null],
    ["a [TOOL_CALLS]", true, 2],
    ["a `[TOOL_CALLS]`", true, null],
    ["a `[TOOL_CALLS]` [TOOL_CALLS]", true, 17],
    ["a `b` [TOOL_CALLS]", true, 6],
    ["a <|tool_call|> [TOOL_CALLS]", true, 2],
    ["a [TOOL_CALLS] <|tool_call|>", true, 2],
    ["<tool", true, null],
    ["<tool", false, 0],
    [" <", false, 1],
    ["", false, null],
    ["a <tool", false, null],
    ["a [TOOL", false, 2],
    ["a [TOOL", true, null],
    ["a [", false, 2],
    ["a `[", false, null],
    ["a [x", false, null],
    ["a [ [", false, 4],
  ] as const)
    assert.equal(markIn(line, whole), at, `${JSON.stringify(line)} ${String(whole)}`)
})

test("a fence is opened by three marks with any language, and closed by as many of the same without one", () => {
  for (const [line, open, expected] of [
    ["```", null, { marks: "```", language: "" }],
    ["   ```json ", null, { marks: "```", language: "json" }],
    ["    ```", null, null],
    ["~~~~ts", null, { marks: "~~~~", language: "ts" }],
    ["``", null, null],
    ["``` a`b", null, null],
    ["a ```", null, null],
    ["```", "```", { marks: "```", language: "" }],
    ["````", "```", { marks: "````", language: "" }],
    ["```", "````", null],
    ["~~~", "```", null],
    ["```json", "```", null],
  ] as const)
    assert.deepEqual(fenceIn(line, open), expected, `${line} ${open ?? ""}`)
  assert.deepEqual(marksIn("<tool_call>\na\n  <tool_call>"), [0, 16])
  assert.deepEqual(marksIn("```\n<tool_call>\n```\n<tool_call>"), [20])
  assert.deepEqual(marksIn("```\n<tool_call>\n~~~\n<tool_call>"), [])
  assert.deepEqual(marksIn(""), [])
})

test("calls are found with the text around them", () => {
  for (const [text, expected] of [
    [`a\n<tool_call>${ls("b")}</tool_call>\nc`, ["a", 'ls {"path":"b"}', "\nc"]],
    [`<tool_call>${ls("b")}</tool_call>  \n c \n`, ['ls {"path":"b"}', "  \n c"]],
    [`<tool_call>${ls("b")}</tool_call> c`, null],
    [`<tool_call>${ls("a")},${ls("b")};${ls("c")}`, ['ls {"path":"a"}', 'ls {"path":"b"}', 'ls {"path":"c"}']],
    [`<tool_call>${ls("a")}</tool_call> <tool_call>${ls("b")}</tool_call>`, ['ls {"path":"a"}', 'ls {"path":"b"}']],
    [`<tool_call>${ls("a")}</tool_call>\n\n<tool_call>${ls("b")}`, ['ls {"path":"a"}', 'ls {"path":"b"}']],
    ["<function=ls></function>", ["ls {}"]],
    ["<function=ls><parameter=path>\na\n\n</parameter></function>", ['ls {"path":"a\\n"}']],
    ["<function=ls><parameter=n> {} </parameter></function>", ['ls {"n":{}}']],
    ["<function=ls><parameter=n> no </parameter></function>", ['ls {"n":" no "}']],
    ["<function=ls>", null],
    ["<tool_call>ls</tool_call>", ["ls {}"]],
    ["<tool_call>ls\n<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>", ['ls {"path":"a"}']],
    ["<tool_call>ls\n<arg_key>path</arg_key><arg_value>a</arg_value>", null],
    ["[TOOL_CALLS]ls{}[TOOL_CALLS]ls[ARGS]{}", ["ls {}", "ls {}"]],
    ["<|start|>assistant<|channel|>analysis to=functions.ls <|message|>{}<|call|>", ["ls {}"]],
    ["<｜tool▁call▁begin｜>ls{}<｜tool▁call▁end｜>", ["ls {}"]],
    ["<|tool_call_begin|>ls<|tool_call_argument_begin|> {}<|tool_call_end|>", ["ls {}"]],
    ['<invoke name="ls"></invoke>', ["ls {}"]],
    ['<invoke name="x"></invoke>', ["x {}"]],
    ['<invoke name="x"><parameter name="y">1</parameter></invoke>', null],
    [` \n<tool_call>${ls("b")}</tool_call> \n `, ['ls {"path":"b"}']],
    [`a\n${ls("b")}`, ["a", 'ls {"path":"b"}']],
    [`a\n   ${ls("b")}<|im_end|> \n`, ["a", 'ls {"path":"b"}']],
    [`a\n    ${ls("b")}`, ["a", 'ls {"path":"b"}']],
    [`~~~tool\n${ls("b")}\n~~~</s>`, ['ls {"path":"b"}']],
    [`\`\`\`json\n${ls("b")}`, null],
    [`${ls("b")}\n\`\`\``, null],
    [`{"a":1}\n${ls("b")}`, ['{"a":1}', 'ls {"path":"b"}']],
    [`[${ls("a")},${ls("b")}]`, ['ls {"path":"a"}', 'ls {"path":"b"}']],
    ["[]", null],
    ["", null],
  ] as const)
    assert.deepEqual(found(text), expected, text)
})

test("a hundred marks are tried; a text with more of them is about such marks", () => {
  const marks = (count: number) => "<tool_call>\n".repeat(count)
  assert.deepEqual(found(`${marks(99)}<tool_call>${ls("a")}`)?.at(-1), 'ls {"path":"a"}')
  assert.equal(found(`${marks(100)}<tool_call>${ls("a")}\nb`), null)
})

test("text is shown as soon as no call can begin in it, the rest at the end", () => {
  for (const [pieces, shown, rest] of [
    [["a", "b"], "ab", ""],
    [["a\n", "b"], "a\nb", ""],
    [["<", "b"], "<b", ""],
    [["<tool", "_box>"], "<tool_box>", ""],
    [["a\n<tool_call>b\nc"], "a\n", "<tool_call>b\nc"],
    [["a [TOOL_CALLS]b"], "a ", "[TOOL_CALLS]b"],
    [["{"], "", "{"],
    [['{"nam'], "", '{"nam'],
    [['{"nax":'], '{"nax":', ""],
    [['{\n  "name": "a"}'], "", '{\n  "name": "a"}'],
    [['{\n  "version": "a"}\n'], '{\n  "version": "a"}\n', ""],
    [["```", "json\n", "{", '"a"'], '```json\n{"a"', ""],
    [["```json\n", '{"name"'], "", '```json\n{"name"'],
    [["```js\n", '{"name"'], '```js\n{"name"', ""],
    [["```js\n", "a\n", "```\n", "{"], "```js\na\n```\n", "{"],
    [["```json\n{}\n```\n"], "```json\n{}\n```\n", ""],
    [['```json\n{"name":1}\n```\n'], "", '```json\n{"name":1}\n```\n'],
    [['```json\n{"name":1}\n```\n', "\n", "b"], '```json\n{"name":1}\n```\n\nb', ""],
    [["    {"], "    {", ""],
    [["   ["], "", "   ["],
    [["`"], "", "`"],
    [["`a`"], "`a`", ""],
    [[""], "", ""],
  ] as const) {
    const held = holdBack()
    assert.deepEqual([pieces.map((piece) => held.add(piece)).join(""), held.rest()], [shown, rest], pieces.join("|"))
  }
})

test("a line over 4,000 characters is decided by its beginning and shown in parts", () => {
  const held = holdBack()
  assert.equal(held.add(`{"name":${" ".repeat(3_992)}`), "")
  const other = holdBack()
  assert.equal(other.add("a".repeat(4_001)), "a".repeat(4_001))
  assert.equal(other.add("<tool_call>"), "")
  assert.equal(other.rest(), "<tool_call>")
  const short = holdBack()
  assert.equal(short.add("a".repeat(4_000)), "a".repeat(4_000))
  assert.equal(short.add("<tool_call>"), "<tool_call>")
})
