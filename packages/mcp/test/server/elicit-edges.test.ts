import assert from "node:assert/strict"
import { test } from "node:test"
import type { ElicitRequestParams } from "@modelcontextprotocol/client"
import type { Dialog, DialogOutcome } from "@gong/spec"
import { elicit } from "../../src/server/elicit.ts"

type Answer = Omit<DialogOutcome, "by">

async function asked(request: object, ...answers: readonly Answer[]) {
  const dialogs: Dialog[] = []
  const result = await elicit("files", request as ElicitRequestParams, async (dialog) => {
    dialogs.push(dialog)
    return { by: "user", ...answers[dialogs.length - 1] }
  })
  return { result, dialogs }
}

/** The answer to a form with one required field. */
async function field(schema: unknown, ...answers: readonly Answer[]) {
  const requestedSchema = { type: "object", properties: { value: schema }, required: ["value"] }
  const { result, dialogs } = await asked({ message: "Which?", requestedSchema }, ...answers)
  return { content: result.content?.["value"], action: result.action, dialog: dialogs[0], count: dialogs.length }
}

const labels = (dialog: Dialog | undefined): readonly string[] => (dialog?.choices ?? []).map(({ label }) => label)

test("values by the type of their field; what is no value is asked again", async () => {
  for (const [type, text, value] of [
    ["integer", "3", 3],
    ["integer", " -4 ", -4],
    ["integer", "1.5", undefined],
    ["integer", "  ", undefined],
    ["integer", "x", undefined],
    ["number", "1.5", 1.5],
    ["number", "", undefined],
    ["number", "1e999", undefined],
    ["string", "", ""],
    ["string", " a ", " a "],
    ["array", "a, b ,c", ["a", "b", "c"]],
    [undefined, "7", "7"],
  ] as const) {
    const { content, count } = await field({ type }, { text })
    assert.deepEqual(content, value, `${type} ${text}`)
    assert.equal(count, value === undefined ? 2 : 1)
  }
})

test("a yes-or-no field offers both and takes no text", async () => {
  const { dialog, content } = await field({ type: "boolean" }, { choice: "yes" })
  assert.deepEqual([labels(dialog), dialog?.freeText, content], [["yes", "no", "(decline)"], false, true])
  assert.equal((await field({ type: "boolean" }, { choice: "no" })).content, false)
  const other = await field({ type: "boolean" }, { text: "maybe" }, { choice: "yes" })
  assert.deepEqual([other.count, other.content], [2, true])
})

test("a list offers its titles and answers with its values; only values of the list are taken", async () => {
  for (const [schema, shown, choice, value] of [
    [{ type: "string", enum: ["a", "b"] }, ["a", "b"], "b", "b"],
    [{ type: "string", enum: ["a", "b"], enumNames: ["A"] }, ["A", "b"], "A", "a"],
    [{ type: "string", oneOf: [{ const: "a", title: "A" }, { const: "b" }, 1] }, ["A", "b"], "b", "b"],
    [{ type: "string", anyOf: [{ const: "a", title: "A\u200b" }] }, ["A"], "A", "a"],
    [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["A"], "A", ["a"]],
    [{ type: "string", enum: [1, "a"] }, ["a"], "a", "a"],
    [{ type: "string", enum: ["x".repeat(101)] }, [`${"x".repeat(97)}...`], `${"x".repeat(97)}...`, "x".repeat(101)],
  ] as const) {
    const { dialog, content } = await field(schema, { choice })
    assert.deepEqual([labels(dialog), dialog?.freeText, content], [[...shown, "(decline)"], false, value])
  }
  const other = await field({ type: "string", enum: ["a"] }, { text: "z" }, { choice: "a" })
  assert.deepEqual([other.count, other.content], [2, "a"])
  const long = await field({ type: "string", enum: Array.from({ length: 51 }, (_, at) => `v${at}`) })
  assert.deepEqual([labels(long.dialog).length, labels(long.dialog).at(-2)], [51, "v49"])
})

test("a field without a list takes a text, and is named by its title and description", async () => {
  for (const [schema, label] of [
    [{ type: "string" }, "value"],
    [{ type: "string", title: "T", description: "of\nit" }, "T: of it"],
    [{ type: "string", title: 1, description: 2 }, "value"],
    [{ type: "string", title: "t".repeat(301) }, `${"t".repeat(297)}...`],
    [null, "value"],
  ] as const) {
    const { dialog } = await field(schema, { text: "x" })
    assert.equal(dialog?.question, `The MCP server files asks: Which?\n${label}`)
    assert.deepEqual([labels(dialog), dialog?.freeText, dialog?.secret], [["(decline)"], true, undefined])
  }
})

test("only a field that is not required can be skipped", async () => {
  const requestedSchema = { type: "object", properties: { a: { type: "string" } } }
  const { dialogs, result } = await asked({ message: "m", requestedSchema }, { choice: "(skip)" })
  assert.deepEqual(labels(dialogs[0]), ["(skip)", "(decline)"])
  assert.deepEqual(result, { action: "accept", content: {} })
})

test("the words of a secret, in the message, the title, the name or the description", async () => {
  const secret = async (message: string, name: string, more: object = {}) => {
    const requestedSchema = { type: "object", properties: { [name]: { type: "string", ...more } }, required: [name] }
    return (await asked({ message, requestedSchema }, { text: "x" })).dialogs[0]?.secret === true
  }
  for (const word of ["passphrase", "passcode", "SECRET", "api_key", "apikey", "credential", "private key", "a pin"])
    assert.equal(await secret(`Your ${word}?`, "value"), true, word)
  assert.equal(await secret("m", "token"), true)
  assert.equal(await secret("m", "apiKey", { title: "Value" }), true)
  assert.equal(await secret("m", "value", { description: "the PIN" }), true)
  for (const word of ["spinning", "pinned", "pass", "key"]) assert.equal(await secret(`Your ${word}?`, "value"), false)
})

test("a form without fields is a question of yes or decline", async () => {
  const empty = { message: "m".repeat(2_001), requestedSchema: { type: "object", properties: {} } }
  for (const [answer, action] of [
    [{ choice: "yes" }, "accept"],
    [{ choice: "(decline)" }, "decline"],
    [{}, "cancel"],
  ] as const) {
    const { result, dialogs } = await asked(empty, answer)
    assert.deepEqual(result, { action })
    assert.equal(dialogs[0]?.question, `The MCP server files asks: ${"m".repeat(2_000)}`)
    assert.deepEqual(labels(dialogs[0]), ["yes", "(decline)"])
  }
})

test("a form of exactly 20 fields is asked", async () => {
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, { type: "string" }]))
  const { result, dialogs } = await asked(
    { message: "m", requestedSchema: { type: "object", properties } },
    ...Array.from({ length: 20 }, () => ({ choice: "(skip)" })),
  )
  assert.deepEqual([result, dialogs.length], [{ action: "accept", content: {} }, 20])
})

test("an address is shown whole with the message on one line, and answered by opened, decline or nothing", async () => {
  const request = { mode: "url", url: "http://host.example:8080/a?b", message: "Log\nin", elicitationId: "1" }
  for (const [answer, action] of [
    [{ choice: "opened" }, "accept"],
    [{ choice: "(decline)" }, "decline"],
    [{}, "cancel"],
  ] as const) {
    const { result, dialogs } = await asked(request, answer)
    assert.deepEqual(result, { action })
    assert.equal(
      dialogs[0]?.question,
      "The MCP server files asks you to open an address of host.example:8080:\nhttp://host.example:8080/a?b\nIt says: Log in",
    )
    assert.deepEqual(labels(dialogs[0]), ["opened", "(decline)"])
  }
  const long = await asked({ ...request, message: "m".repeat(2_001) }, {})
  assert.ok(long.dialogs[0]?.question.endsWith(`: ${"m".repeat(1_997)}...`))
})
