import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

test("[SLASH-11] rpc: a question of a slash command is a dialog, and its answer ends the command", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two" }] })
  const client = startRpc(t, stage)
  for (const text of ["first", "second"]) {
    await client.request("prompt", { text })
    await client.event("result")
  }
  const command = client.request("command", { name: "tree" })
  const asked = await client.event("ui_request")
  assert.equal(asked.question, "After which message (* is the current branch)?")
  assert.equal((await client.refused("command", { name: "name" })).code, "busy", "one command at a time")
  assert.deepEqual((await client.request("get_state")).dialogs.length, 1)
  const [beginning, first] = asked.choices
  assert.ok(beginning !== undefined && first !== undefined)
  assert.match(first.label, /first/)
  await client.request("ui_reply", { target: asked.id, choice: first.label })
  const { lines, data } = await command
  assert.match(lines.join(), /The session continues from there/)
  const { leaf } = await client.request("get_state")
  assert.equal((data as { leaf: string }).leaf, leaf)
})

test("rpc: a key is requested by a secret dialog; an abort ends the command without a key", async (t) => {
  const stage = await openStage(t)
  const client = startRpc(t, stage)
  const command = client.request("command", { name: "login", arguments: "anthropic" })
  const asked = await client.event("ui_request")
  assert.deepEqual([asked.secret, asked.freeText, asked.choices], [true, true, []])
  assert.equal((await client.request("abort")).stopped, true)
  assert.equal((await command).lines.length, 1)
  assert.deepEqual((await client.request("get_state")).dialogs, [])
  assert.equal((await client.request("command", { name: "session" })).run, null)
})

test("rpc: a template called as a slash command starts a run", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "Hello, Ada." }], otherwise: { text: "no more" } })
  stage.write({ ".gong/prompts/greet.md": "---\ndescription: greets\n---\nSay hello to $1.\n" })
  const client = startRpc(t, stage, ["--trust", "yes"])
  const { run, lines } = await client.request("command", { name: "greet", arguments: "Ada" })
  const result = await client.event("result")
  assert.deepEqual([lines, result.run, result.text], [[], run, "Hello, Ada."])
  const [request] = stage.server.requests
  assert.match(JSON.stringify(request?.body), /Say hello to Ada/)
})
