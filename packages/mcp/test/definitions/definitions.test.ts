import assert from "node:assert/strict"
import { suite, test } from "node:test"
import { limits, visibleLine, visibleText } from "@gong/mcp"
import { checkPrompts } from "../../src/definitions/check-prompts.ts"
import { checkTools } from "../../src/definitions/check-tools.ts"
import { exposedName } from "../../src/definitions/names.ts"
import { checkSchema } from "../../src/definitions/schema.ts"

const object = { type: "object", properties: {} }
const tool = (name: string, more: object = {}) => ({ name, description: "", inputSchema: object, ...more })

suite("names", () => {
  test("a tool is exposed in the characters and the length of function names", () => {
    assert.equal(exposedName("files", "read.file/all"), "files__read_file_all")
    const [long, other] = ["1", "2"].map((end) => exposedName("files", `${"x".repeat(100)}${end}`))
    for (const name of [long, other]) assert.match(name ?? "", /^files__x+_[0-9a-f]{8}$/)
    assert.equal(long?.length, 64)
    assert.notEqual(long, other)
  })
})

suite("texts", () => {
  test("invisible characters are removed, also those beyond 16 bits and half pairs", () => {
    assert.equal(visibleText("a\u200bb\u202ec\u{e0041}d\u{e0100}e\u001b[2Jf\u0000"), "abcde[2Jf")
    assert.equal(visibleText("a\ud800b"), "a\ufffdb")
    assert.equal(visibleText("\t\u4f60\u597d, \u00e9\n"), "\t\u4f60\u597d, \u00e9\n")
  })

  test("a line has no line breaks and ends with three dots where it is cut", () => {
    assert.equal(visibleLine(" a\n\tb  c ", 10), "a b c")
    assert.equal(visibleLine("abcdefghijk", 10), "abcdefg...")
  })
})

suite("schemas", () => {
  test("patterns and identifiers are dropped, properties of these names are not", () => {
    const checked = checkSchema({
      $id: "https://example.com/schema",
      type: "object",
      properties: { pattern: { type: "string", pattern: "(a+)+$" }, $id: { type: "number" } },
      patternProperties: { "(a+)+$": {} },
    })
    assert.deepEqual(checked, {
      ok: true,
      schema: { type: "object", properties: { pattern: { type: "string" }, $id: { type: "number" } } },
    })
  })

  test("a reference to another document is refused, one within the schema is not", () => {
    const withRef = ($ref: string) => checkSchema({ ...object, properties: { a: { $ref } } })
    assert.equal(withRef("#/$defs/a").ok, true)
    for (const ref of ["https://example.com/a", "file:///etc/passwd", "other.json"])
      assert.equal(withRef(ref).ok, false, ref)
  })

  test("a schema over the bounds, with hidden characters or not of an object is refused", () => {
    let deep: object = {}
    for (let level = 0; level < limits.schemaDepth; level++) deep = { items: deep }
    const refused: Readonly<Record<string, unknown>> = {
      "too deep": { ...object, properties: deep },
      "too large": { ...object, properties: { a: { enum: Array.from({ length: 5_000 }, (_, at) => `value ${at}`) } } },
      "hidden characters in a key": { ...object, properties: { "a\u200b": {} } },
      "hidden characters in a value": { ...object, properties: { a: { const: "a\u{e0041}" } } },
      prototype: JSON.parse('{"type":"object","properties":{"__proto__":{}}}'),
      "not of an object": { type: "string" },
      "no schema": null,
    }
    for (const [name, schema] of Object.entries(refused)) assert.equal(checkSchema(schema).ok, false, name)
  })
})

suite("tools", () => {
  test("a tool with a fault is left out with its reason, the others stay", () => {
    const { tools, problems } = checkTools("s", [
      tool("good"),
      tool(""),
      tool("__proto__"),
      tool("re\u0430d"),
      tool("bad", { inputSchema: { type: "array" } }),
      { description: "no name" },
      null,
    ])
    assert.deepEqual(
      tools.map(({ exposed }) => exposed),
      ["s__good"],
    )
    assert.equal(problems.length, 6)
    assert.ok(problems.some((problem) => problem === '"bad": its schema is not one of an object'))
  })

  test("of two tools with one name, also in another case or after the exposure, neither is offered", () => {
    const { tools, problems } = checkTools("s", [tool("a.b"), tool("a/b"), tool("c"), tool("C"), tool("d")])
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["d"],
    )
    assert.deepEqual(problems, ["s__a_b is defined 2 times", "s__c is defined 2 times"])
  })

  test("tools over 200 are left out, and said", () => {
    const { tools, problems } = checkTools(
      "s",
      Array.from({ length: 203 }, (_, at) => tool(`t${at}`)),
    )
    assert.equal(tools.length, 200)
    assert.deepEqual(problems, ["3 tools over 200 are left out"])
  })

  test("a long description is cut; annotations are not read", () => {
    const annotations = { readOnlyHint: true }
    const { tools } = checkTools("s", [tool("a", { description: "x".repeat(5_000), annotations })])
    const [{ description, ...rest }] = tools as readonly [(typeof tools)[number]]
    assert.equal(description.length, limits.description)
    assert.ok(description.endsWith(" ..."))
    assert.ok(!JSON.stringify(rest).includes("readOnly"))
  })
})

test("prompts whose names cannot be typed are left out", () => {
  const args = [{ name: "path", required: true }, { name: "not typable" }, "no argument"]
  assert.deepEqual(checkPrompts([{ name: "review", description: "A\nreview", arguments: args }, { name: "a b" }, 7]), [
    { name: "review", description: "A review", arguments: [{ name: "path", required: true }] },
  ])
})
