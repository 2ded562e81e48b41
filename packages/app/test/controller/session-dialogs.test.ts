import assert from "node:assert/strict"
import { test } from "node:test"
import type { Dialog, DialogAnswer } from "@gong/spec"
import type { ControllerState } from "../../src/controller/api.ts"
import { sessionDialogs } from "../../src/controller/session-dialogs.ts"

/** The user of a client that answers each dialog with this; null: a session in which nobody answers. */
function user(answer: DialogAnswer | undefined | null) {
  const { signal } = new AbortController()
  const asked: Dialog[] = []
  const ask = async (dialog: Dialog, until: AbortSignal): Promise<DialogAnswer | undefined> => {
    assert.equal(until, signal)
    asked.push(dialog)
    return answer ?? undefined
  }
  const session = answer === null ? { ask: null } : { ask }
  return { asked, ...sessionDialogs({ current: { session } } as unknown as ControllerState, signal) }
}

test("a choice is the position of the row; without rows nothing is asked", async () => {
  const { asked, choose } = user({ choice: "b" })
  assert.equal(await choose("Which?", ["a", "b"]), 1)
  assert.deepEqual(asked, [{ question: "Which?", choices: [{ label: "a" }, { label: "b" }], freeText: false }])
  const none = user({ choice: "a" })
  assert.equal(await none.choose("Which?", []), null)
  assert.deepEqual(none.asked, [])
  assert.equal(await user({}).choose("Which?", ["a"]), null)
})

test("only yes confirms", async () => {
  assert.equal(await user({ choice: "yes" }).confirm("Really?"), true)
  assert.equal(await user({ choice: "no" }).confirm("Really?"), false)
  for (const none of [{}, undefined, null]) assert.equal(await user(none).confirm("Really?"), false)
})

test("a line is trimmed, an empty one is none, and a secret is marked", async () => {
  const typed = user({ text: "  a b " })
  assert.equal(await typed.line("Name:"), "a b")
  assert.equal(await typed.line("Key:", true), "a b")
  assert.deepEqual(typed.asked, [
    { question: "Name:", choices: [], freeText: true },
    { question: "Key:", choices: [], freeText: true, secret: true },
  ])
  for (const none of [{ text: " " }, {}, undefined, null]) assert.equal(await user(none).line("Name:"), null)
})

test("a client has no clipboard and no keys", async () => {
  const { copy, keys } = user({})
  const copied = await copy("x")
  assert.deepEqual(copied.ok ? [] : copied.error.lines, [
    "gong: no clipboard is available. /export writes the session to a file.",
  ])
  assert.deepEqual(keys, [])
})
