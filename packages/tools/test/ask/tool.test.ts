import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments, type Dialog, type DialogOutcome } from "@gong/spec"
import { createAskTool } from "../../src/ask/tool.ts"
import { context, messages } from "../workspace.ts"

const tool = createAskTool()

async function ask(
  args: Readonly<Record<string, unknown>>,
  outcome: DialogOutcome | null = { by: "user", choice: "A" },
) {
  const checked = await checkArguments(tool.parameters, tool.mapArguments?.(args) ?? args)
  if (!checked.ok) return { text: checked.errors.join("; "), asked: [] }
  const asked: Dialog[] = []
  const dialog = async (one: Dialog): Promise<DialogOutcome> => {
    asked.push(one)
    return outcome ?? { by: "user" }
  }
  const result = await tool.execute("c", checked.value as never, context(outcome === null ? {} : { dialog }))
  return { text: messages(result), result, asked }
}

const question = { question: "Which database?", choices: ["A", { label: "B", description: "slower" }] }

test("the question is asked with its choices and the answer is returned", async () => {
  const { text, asked, result } = await ask(question)
  assert.deepEqual(asked, [
    { question: "Which database?", choices: [{ label: "A" }, { label: "B", description: "slower" }], freeText: true },
  ])
  assert.deepEqual([text, result?.isError], ["The user chose: A", false])
  assert.deepEqual(result?.details, { choice: "A", text: null, by: "user" })
  assert.equal((await ask(question, { by: "user", text: "neither" })).text, "The user said: neither")
  assert.equal((await ask(question, { by: "user", choice: "A", text: "now" })).text, "The user chose: A\nand said: now")
  assert.match((await ask(question, { by: "user" })).text, /gave no answer/)
  assert.equal((await ask({ ...question, freeText: false })).asked[0]?.freeText, false)
})

test("no user, a timeout and an abort have different results", async () => {
  const none = await ask(question, null)
  assert.match(none.text, /^Nobody is here to answer\. Decide yourself/)
  assert.equal(none.result?.isError, true)
  const late = await ask(question, { by: "timeout" })
  assert.match(late.text, /^Nobody answered in time\./)
  assert.deepEqual([late.result?.isError, late.result?.details?.by], [true, "timeout"])
  assert.equal((await ask(question, { by: "stop" })).result?.status, "aborted")
})

test("2 to 6 choices, unique and not empty", async () => {
  assert.match((await ask({ question: "?", choices: ["A"] })).text, /choices/)
  assert.match((await ask({ question: "?", choices: ["A", "B", "C", "D", "E", "F", "G"] })).text, /choices/)
  assert.match((await ask({ question: "", choices: ["A", "B"] })).text, /question/)
  for (const [choices, why] of [
    [["A", " A "], /the same/],
    [["A", "  "], /is empty/],
  ] as const) {
    const { text, asked } = await ask({ question: "?", choices })
    assert.match(text, why)
    assert.deepEqual(asked, [])
  }
  const { asked } = await ask({ message: "Go on?", options: ["yes", "no"] })
  assert.deepEqual([asked[0]?.question, asked[0]?.choices.length], ["Go on?", 2])
})
