import assert from "node:assert/strict"
import { test } from "node:test"
import type { ElicitRequestParams } from "@modelcontextprotocol/client"
import type { Dialog, DialogOutcome } from "@gong/spec"
import { elicit } from "../../src/server/elicit.ts"

type Answer = Omit<DialogOutcome, "by">

/** Answers in order; the dialogs are returned with the result. */
async function asked(request: object, ...answers: readonly Answer[]) {
  const dialogs: Dialog[] = []
  const result = await elicit("files", request as ElicitRequestParams, async (dialog) => {
    dialogs.push(dialog)
    return { by: "user", ...answers[dialogs.length - 1] }
  })
  return { result, dialogs }
}

const form = (properties: object, required: readonly string[] = []) => ({
  message: "Which \u202eone?",
  requestedSchema: { type: "object", properties, required },
})

test("a form is asked field by field, with the server's name and without invisible characters", async () => {
  const fields = {
    name: { type: "string", title: "Name" },
    count: { type: "integer" },
    deep: { type: "boolean" },
    size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
    colours: { type: "array", items: { enum: ["red", "blue"] } },
  }
  const { result, dialogs } = await asked(
    form(fields, Object.keys(fields)),
    { text: "a" },
    { text: "3" },
    { choice: "no" },
    { choice: "Small" },
    { choice: "blue" },
  )
  assert.deepEqual(result, {
    action: "accept",
    content: { name: "a", count: 3, deep: false, size: "s", colours: ["blue"] },
  })
  assert.equal(dialogs[0]?.question, "The MCP server files asks: Which one?\nName")
})

test("a number that is none is asked again, at most three times", async () => {
  const again = await asked(form({ n: { type: "integer" } }, ["n"]), { text: "1.5" }, { text: "" }, { text: "7" })
  assert.deepEqual(again.result, { action: "accept", content: { n: 7 } })
  const never = await asked(form({ n: { type: "number" } }, ["n"]), ...Array.from({ length: 9 }, () => ({ text: "x" })))
  assert.deepEqual(never.result, { action: "decline" })
  assert.equal(never.dialogs.length, 3)
})

test("a field that is not required can be left empty; a refusal or no answer ends the form", async () => {
  const two = form({ a: { type: "string" }, b: { type: "string" } }, ["b"])
  assert.deepEqual((await asked(two, { choice: "(skip)" }, { text: "x" })).result, {
    action: "accept",
    content: { b: "x" },
  })
  assert.deepEqual((await asked(two, { text: "x" }, { choice: "(decline)" })).result, { action: "decline" })
  assert.deepEqual((await asked(two)).result, { action: "cancel" })
})

test("a question for a secret carries a warning and hides the answer", async () => {
  for (const word of ["password", "API key", "access token", "\u5bc6\u7801"]) {
    const { dialogs } = await asked(form({ value: { type: "string", title: word } }))
    assert.match(dialogs[0]?.question ?? "", /looks like a secret/, word)
    assert.equal(dialogs[0]?.secret, true)
  }
  const { dialogs } = await asked(form({ value: { type: "string", title: "branch" } }))
  assert.doesNotMatch(dialogs[0]?.question ?? "", /secret/)
})

test("an address is shown with its host, and only http and https are asked about", async () => {
  const url = (address: string) => ({ mode: "url", url: address, message: "Log in", elicitationId: "1" })
  const { result, dialogs } = await asked(url("https://good.example@evil.example/x"), { choice: "opened" })
  assert.deepEqual(result, { action: "accept" })
  assert.match(dialogs[0]?.question ?? "", /files asks you to open an address of evil\.example:/)
  for (const address of ["file:///etc/passwd", "javascript:alert(1)", "ssh://host", "no address"]) {
    const refused = await asked(url(address), { choice: "opened" })
    assert.deepEqual([refused.result.action, refused.dialogs.length], ["decline", 0], address)
  }
})

test("a form of more than 20 fields is declined without a question", async () => {
  const fields = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: "string" }]))
  const { result, dialogs } = await asked(form(fields))
  assert.deepEqual([result.action, dialogs.length], ["decline", 0])
})
