import assert from "node:assert/strict"
import { test } from "node:test"
import type { Turn } from "@gong/testing/model-server"
import { eventsOf, ofType, openStage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"
import { openTerminal, skip } from "./terminal.ts"

const question: Turn = {
  calls: [
    {
      name: "ask",
      args: { question: "Which one?", choices: [{ label: "red" }, { label: "blue", description: "calm" }] },
    },
  ],
}

function answered(body: unknown): string {
  return (body as { messages: readonly { role: string; content: string }[] }).messages.at(-1)?.content ?? ""
}

test("over rpc a dialog is an event, answered by ui_reply", async (t) => {
  const stage = await openStage(t, { turns: [question, { text: "blue it is" }] })
  const client = startRpc(t, stage, ["--tools", "+ask", "--permission", "plan"])
  await client.request("prompt", { text: "go" })
  const asked = await client.event("ui_request")
  assert.deepEqual(
    [asked.question, asked.choices, asked.freeText, asked.expiresAt],
    ["Which one?", [{ label: "red" }, { label: "blue", description: "calm" }], true, undefined],
  )
  assert.deepEqual(
    (await client.request("get_state")).dialogs.map(({ id }) => id),
    [asked.id],
  )
  assert.equal((await client.refused("ui_reply", { target: "u9", choice: "red" })).code, "not_found")
  assert.equal((await client.refused("ui_reply", { target: asked.id, choice: "green" })).code, "bad_arguments")
  await client.request("ui_reply", { target: asked.id, choice: "blue" })
  const end = await client.event("ui_end")
  assert.deepEqual([end.id, end.choice, end.by], [asked.id, "blue", "user"])
  assert.equal((await client.event("result")).text, "blue it is")
  assert.equal(answered(stage.server.requests.at(-1)?.body), "The user chose: blue")
})

test("a dialog ends on an abort, and when the client disconnects", async (t) => {
  const stage = await openStage(t, { turns: [question] })
  const client = startRpc(t, stage, ["--tools", "+ask"])
  await client.request("prompt", { text: "go" })
  await client.event("ui_request")
  await client.request("abort")
  assert.equal((await client.event("ui_end")).by, "stop")
  assert.equal((await client.event("result")).status, "interrupted")
  stage.server.begin([question, { text: "then without" }])
  await client.request("prompt", { text: "again" })
  await client.event("ui_request")
  client.close()
  assert.equal((await client.event("result")).text, "then without")
  assert.match(answered(stage.server.requests.at(-1)?.body), /gave no answer/)
})

test("without a user to answer, the tool is not offered to the model", async (t) => {
  const stage = await openStage(t, { turns: [question, { text: "done" }] })
  const run = await stage.gong(["--output", "events", "--yolo", "--tools", "+ask", "go"])
  const tools = ofType(eventsOf(run), "session")[0]?.tools ?? []
  assert.ok(tools.length === 7 && !tools.includes("ask"))
  assert.deepEqual(
    ofType(eventsOf(run), "tool_execution_end").map(({ status }) => status),
    ["error"],
  )
  assert.equal(run.status, 0)
})

test("a line-by-line dialog accepts a number, a full-width number, free text, or nothing", { skip }, async (t) => {
  const stage = await openStage(t)
  stage.server.begin([question, question, question, question, { text: "Thanks." }])
  const terminal = openTerminal(t, stage, ["--tools", "+ask", "go"])
  const prompt = "1-2, or type an answer, Enter for no answer > "
  await terminal.until("Which one?")
  await terminal.until("2  blue: calm")
  for (const keys of ["9\r", "\uff12\r", "neither\r", "\r", "1\r"]) {
    await terminal.until(prompt)
    terminal.type(keys)
  }
  await terminal.until("Thanks.")
  await terminal.until("> ")
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
  const answers = stage.server.requests.slice(1).map(({ body }) => answered(body))
  assert.deepEqual(answers.slice(0, 2), ["The user chose: blue", "The user said: neither"])
  assert.match(answers[2] ?? "", /gave no answer/)
  assert.equal(answers[3], "The user chose: red")
})
