import assert from "node:assert/strict"
import { test } from "node:test"
import type { Dialog, DialogOutcome } from "@gong/spec"
import { dialogAsk } from "../src/dialog-ask.ts"

/** Asks one question; returns the dialog that was shown and the answer of the extension. */
async function asked(kind: "confirm" | "line" | "choose", args: readonly unknown[], answer: Partial<DialogOutcome>) {
  let dialog: Dialog | null = null
  const ask = dialogAsk(async (shown) => ((dialog = shown), { by: "user", ...answer }))
  const given = await ask(kind, args)
  return { dialog: dialog as Dialog | null, given }
}

test("a question to confirm is true only for yes", async () => {
  for (const [choice, expected] of [["yes", true] as const, ["no", false] as const]) {
    const { dialog, given } = await asked("confirm", ["Sure?"], { choice })
    assert.deepEqual(dialog, { question: "Sure?", choices: [{ label: "yes" }, { label: "no" }], freeText: false })
    assert.equal(given, expected)
  }
  assert.equal((await asked("confirm", ["Sure?"], {})).given, false)
})

test("a line is the typed text, or null", async () => {
  const { dialog, given } = await asked("line", ["Name?"], { text: "gong" })
  assert.deepEqual([dialog, given], [{ question: "Name?", choices: [], freeText: true }, "gong"])
  assert.equal((await asked("line", ["Name?"], {})).given, null)
})

test("a choice is the index of its row, also where two rows are equal", async () => {
  const { dialog, given } = await asked("choose", ["Which?", ["a", "b", "a"]], { choice: "b" })
  assert.equal(dialog?.choices.length, 3)
  assert.equal(new Set(dialog?.choices.map(({ label }) => label)).size, 3)
  assert.equal(given, 1)
  const third = dialog?.choices[2]?.label ?? ""
  assert.equal((await asked("choose", ["Which?", ["a", "b", "a"]], { choice: third })).given, 2)
  assert.equal((await asked("choose", ["Which?", ["a"]], {})).given, null)
})

test("questions, rows and their number are cut to their limits; without a text or a row nothing is shown", async () => {
  const rows = Array.from({ length: 201 }, (_, at) => `${at} ${"y".repeat(600)}`)
  const { dialog } = await asked("choose", ["x".repeat(4_001), rows], { choice: "" })
  assert.equal(dialog?.question.length, 4_000)
  assert.equal(dialog?.choices.length, 200)
  assert.equal(dialog?.choices[0]?.label.length, 500)
  for (const args of [["Which?", []], ["Which?", "rows"], ["Which?"], [1, ["a"]], []]) {
    const none = await asked("choose", args, { choice: "a" })
    assert.deepEqual([none.dialog, none.given], [null, null])
  }
})
