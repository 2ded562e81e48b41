import assert from "node:assert/strict"
import { test } from "node:test"
import { eventsOf, ofType, openStage, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"
import { openTerminal, say, skip } from "./terminal.ts"

/** A command and a tool that ask the same three questions. */
const asks = `
const ask = async ({ interactive, choose, confirm, line }) => [
  interactive,
  await choose("Which one?", ["red", "blue", "blue"]),
  await confirm("Sure?"),
  await line("Why?"),
].join(" ")
export default (gong) => {
  gong.command({ name: "paint", about: "paints", run: (rest, context) => ask(context) })
  gong.command({ name: "why", about: "asks why", run: (rest, { line }) => line("Why?").then(String) })
  gong.tool({ name: "paint", description: "paints", parameters: { type: "object" }, execute: (args, context) => ask(context) })
}
`

function install(stage: Stage, settings: object = {}): void {
  stage.write({
    [`${stage.gongHome}/extensions/asks.js`]: asks,
    [`${stage.gongHome}/settings.json`]: JSON.stringify(settings),
  })
}

const paint = { calls: [{ name: "paint", args: {} }] }

test("dialogs of a command and a tool of an extension reach the rpc client, and ui_reply answers them", async (t) => {
  const stage = await openStage(t, { turns: [paint, { text: "done" }] })
  install(stage)
  const client = startRpc(t, stage, ["--yolo"])
  const answerAll = async (): Promise<readonly (string | undefined)[]> => {
    const which = await client.event("ui_request")
    assert.deepEqual(
      [which.question, which.choices.map(({ label }) => label), which.freeText],
      ["Which one?", ["red", "blue", "blue (2)"], false],
    )
    assert.equal((await client.refused("ui_reply", { target: which.id, text: "green" })).code, "bad_arguments")
    await client.request("ui_reply", { target: which.id, choice: "blue (2)" })
    const sure = await client.event("ui_request")
    await client.request("ui_reply", { target: sure.id, choice: "yes" })
    const why = await client.event("ui_request")
    assert.deepEqual([why.choices, why.freeText], [[], true])
    assert.equal((await client.refused("ui_reply", { target: which.id, choice: "red" })).code, "not_found")
    await client.request("ui_reply", { target: why.id, text: "it is calm" })
    return [which, sure, why].map(({ toolCallId }) => toolCallId)
  }
  const typed = client.request("prompt", { text: "/paint" })
  assert.deepEqual(await answerAll(), [undefined, undefined, undefined])
  assert.deepEqual(await typed, { run: null, disposition: "handled" })
  assert.equal(notificationText(await client.event("notice")), "true 2 true it is calm")

  await client.request("prompt", { text: "go" })
  assert.equal(new Set(await answerAll()).size, 1, "the call that asks")
  const { content } = await client.event("tool_execution_end")
  assert.deepEqual(content, [{ type: "text", text: "true 2 true it is calm" }])
})

function notificationText(notification: object): unknown {
  return "text" in notification ? notification.text : null
}

test("a client that never answers, disconnects or aborts has no answer, and the command continues", async (t) => {
  const stage = await openStage(t)
  install(stage, { "ask.timeout": 1 })
  const client = startRpc(t, stage)
  await client.request("prompt", { text: "/why" })
  assert.deepEqual(
    [(await client.event("ui_end")).by, notificationText(await client.event("notice"))],
    ["timeout", "null"],
  )
  install(stage)
  const other = startRpc(t, stage)
  other.write('{"id":"p","type":"prompt","text":"/why"}\n')
  await other.event("ui_request")
  await other.request("abort")
  assert.equal((await other.event("ui_end")).by, "stop")
  const last = startRpc(t, stage)
  last.write('{"id":"p","type":"prompt","text":"/why"}\n')
  await last.event("ui_request")
  last.close()
  assert.equal(notificationText(await last.event("notice")), "null")
  assert.equal((await last.ended).status, 0)
})

test("no dialog headless; at a terminal a dialog is line by line", { skip }, async (t) => {
  const stage = await openStage(t, { turns: [paint, { text: "done" }] })
  install(stage)
  const run = await stage.gong(["--no-session", "--output", "events", "--yolo", "go"])
  assert.deepEqual(
    ofType(eventsOf(run), "tool_execution_end").map(({ content }) => content),
    [[{ type: "text", text: "false  false " }]],
  )
  stage.server.begin([paint, { text: "Painted." }])
  const terminal = openTerminal(t, stage, ["--yolo", "go"])
  await terminal.until("1-3, Enter for no answer > ")
  await say(terminal, "2", "Sure?")
  await say(terminal, "2", "Why?")
  await say(terminal, "calm", "Painted.")
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /true 1 false calm/)
})
