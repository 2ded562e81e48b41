import assert from "node:assert/strict"
import { test } from "node:test"
import { deepFreeze, type Message, type ToolResultMessage, userText } from "@gong/spec"
import { anthropicMessages } from "../../../src/anthropic-messages/provider.ts"
import { readTurn } from "../../../src/protocol/request/history.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, replyMessage } from "../../helpers.ts"

const rule = { bad: /[^a-z0-9_]/g, max: 40 }
const turn = (messages: readonly Message[]) => readTurn(messages, modelOf(), rule, false)
const call = { type: "tool_call", id: "c1", name: "ls", arguments: {} } as const

function result(text: string, isError: boolean): ToolResultMessage {
  const content = [{ type: "text", text } as const]
  const status = isError ? "error" : "ok"
  return deepFreeze({ role: "tool", toolCallId: "c1", toolName: "ls", content, details: null, isError, status })
}

test("blank text is dropped, for users and tools; a failed call then gets a text", () => {
  const printed = { role: "user", content: [{ type: "text", text: " \n" }] } as const
  assert.deepEqual(turn([printed]).users, [])
  assert.deepEqual(turn([printed, userText("hi")]).users, [[{ type: "text", text: "hi" }]])
  assert.deepEqual(turn([replyMessage([call]), result("\t", false)]).results[0]?.content, [])
  assert.deepEqual(turn([replyMessage([call]), result("\t", true)]).results[0]?.content, [
    { type: "text", text: "(no output)" },
  ])
})

test("a user message follows every reply, even without content", () => {
  const words = replyMessage([{ type: "text", text: "so far" }])
  assert.deepEqual(turn([words]).users, [[{ type: "text", text: "[go on]" }]])
  assert.deepEqual(turn([words, userText("more")]).users, [[{ type: "text", text: "more" }]])
  assert.deepEqual(turn([replyMessage([call]), result("a", false)]).users, [])
  const silent = turn([replyMessage([{ type: "thinking", text: "hm", signature: "s" }])])
  assert.deepEqual([silent.blocks, silent.users], [[], []])
})

test("a tool round of another model ends without thinking for a model with a budget; later turns think again", async () => {
  const model = modelOf({ api: "anthropic-messages", maxOutput: 64_000 })
  const own = { provider: model.provider, id: model.id, api: model.api }
  const thought = { type: "thinking", text: "hm", signature: "c2ln" } as const
  const asked = async (messages: readonly Message[]) => {
    const transport = fakeTransport({ body: [events("[DONE]")] })
    const ports = { transport, clock: manualClock(), credential: null }
    await collect(anthropicMessages(model, ports), requestWith({ messages, thinking: "high" }))
    return (transport.bodies()[0] as { thinking?: { type: string } }).thinking?.type
  }
  const foreign = [userText("go"), replyMessage([call]), result("a", false)]
  assert.equal(await asked(foreign), undefined)
  assert.equal(
    await asked([userText("go"), replyMessage([thought, call], { model: own }), result("a", false)]),
    "enabled",
  )
  assert.equal(await asked([...foreign, replyMessage([{ type: "text", text: "done" }]), userText("next")]), "enabled")
})
