import assert from "node:assert/strict"
import { test } from "node:test"
import { deepFreeze, type Message, type ThinkingLevel, type ToolResultMessage, userText } from "@gong/spec"
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages"
import { anthropicMessages } from "../../src/anthropic-messages/provider.ts"
import { requestWith, collect, fakeTransport, manualClock, modelOf, replyMessage } from "../helpers.ts"

const protocol = { api: "anthropic-messages", baseUrl: "http://model.test", maxOutput: 32_000 } as const
const here = { provider: "test", id: "m", api: "anthropic-messages" }
const kept = { cache_control: { type: "ephemeral" } } as const
const tools = ["a", "b"].map((name) => ({ name, description: name, parameters: { type: "object", properties: {} } }))

async function bodyFor(
  messages: readonly Message[],
  ask: Parameters<typeof requestWith>[0] = {},
  model = modelOf(protocol),
) {
  const transport = fakeTransport({ body: ['data: {"type":"message_stop"}\n\n'] })
  const ports = { transport, clock: manualClock(), credential: { key: "sk-1", from: "X" } }
  await collect(anthropicMessages(model, ports), requestWith({ messages, ...ask }))
  return { body: transport.bodies()[0] as MessageCreateParamsStreaming, request: transport.requests[0] }
}

function result(id: string, text: string, isError = false): ToolResultMessage {
  const content = [{ type: "text", text } as const]
  return deepFreeze({ role: "tool", toolCallId: id, toolName: "a", content, details: null, isError, status: "ok" })
}

const call = (id: string) => ({ type: "tool_call", id, name: "a", arguments: { x: 1 } }) as const

test("[PROVIDER-SYS.1] [PROVIDER-01] [PROVIDER-ADP.4] the system prompt is in `system`, cached like the last tool and the last user turn", async () => {
  const { body, request } = await bodyFor([userText("hi")], { tools })
  assert.deepEqual(body, {
    model: "m",
    system: [{ type: "text", text: "sys", ...kept }],
    tools: [
      { name: "a", description: "a", input_schema: { type: "object", properties: {} } },
      { name: "b", description: "b", input_schema: { type: "object", properties: {} }, ...kept },
    ],
    messages: [{ role: "user", content: [{ type: "text", text: "hi", ...kept }] }],
    max_tokens: 32_000,
    stream: true,
  } satisfies MessageCreateParamsStreaming)
  assert.equal(request?.url, "http://model.test/v1/messages")
  assert.equal(request?.headers["x-api-key"], "sk-1")
  assert.equal(request?.headers["anthropic-version"], "2023-06-01")
})

test("[PROVIDER-ADP.5] results of one reply are in one user turn, before the user's text; the last two turns are marked", async () => {
  const { body } = await bodyFor([
    userText("one"),
    replyMessage([{ type: "text", text: "t" }, call("c1"), call("c2")], { model: here }),
    result("c1", "r1"),
    result("c2", "r2", true),
    userText("two"),
    replyMessage([call("c3")], { model: here }),
    result("c3", "r3"),
  ])
  assert.deepEqual(body.messages, [
    { role: "user", content: [{ type: "text", text: "one" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "t" },
        { type: "tool_use", id: "c1", name: "a", input: { x: 1 } },
        { type: "tool_use", id: "c2", name: "a", input: { x: 1 } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "r1" }] },
        { type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "r2" }], is_error: true },
        { type: "text", text: "two", ...kept },
      ],
    },
    { role: "assistant", content: [{ type: "tool_use", id: "c3", name: "a", input: { x: 1 } }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c3", content: [{ type: "text", text: "r3" }], ...kept }],
    },
  ] satisfies MessageCreateParamsStreaming["messages"])
})

async function thinkingFor(thinking: ThinkingLevel, compat: NonNullable<ReturnType<typeof modelOf>["compat"]> = {}) {
  const { body } = await bodyFor([userText("hi")], { thinking }, modelOf({ ...protocol, compat }))
  return [body.thinking, body.output_config]
}

test("[PROVIDER-THK.1] a thinking budget leaves room for the answer", async () => {
  assert.deepEqual(await thinkingFor("low"), [{ type: "enabled", budget_tokens: 4096 }, undefined])
  assert.deepEqual(await thinkingFor("xhigh"), [{ type: "enabled", budget_tokens: 16_000 }, undefined])
  assert.deepEqual(await thinkingFor("off"), [undefined, undefined])
  // Servers of this format that think by default.
  assert.deepEqual(await thinkingFor("off", { thinkingOff: "disabled" }), [{ type: "disabled" }, undefined])
  assert.deepEqual(await thinkingFor("off", { thinkingOff: "disabled", efforts: ["low"] }), [undefined, undefined])
})

test("[PROVIDER-THK.2] adaptive thinking with an effort, and how it is switched off", async () => {
  const adaptiveThinking = true
  const on = { type: "adaptive", display: "summarized" }
  assert.deepEqual(await thinkingFor("high", { adaptiveThinking }), [on, { effort: "high" }])
  assert.deepEqual(await thinkingFor("off", { adaptiveThinking }), [undefined, { effort: "low" }])
  assert.deepEqual(await thinkingFor("off", { adaptiveThinking, thinkingOff: "between_tools" }), [
    { type: "between_tools" },
    undefined,
  ])
})

test("[PROVIDER-01] [PROVIDER-MSG.3] [PROVIDER-MSG.4] signatures go back only to their model, redacted reasoning to no other", async () => {
  const content = [
    { type: "thinking", text: "hm", signature: "c2ln" },
    { type: "thinking", text: "", signature: "b3A", redacted: true },
    { type: "text", text: "a" },
  ] as const
  const own = await bodyFor([userText("go"), replyMessage(content, { model: here }), userText("on")])
  assert.deepEqual(own.body.messages[1]?.content, [
    { type: "thinking", thinking: "hm", signature: "c2ln" },
    { type: "redacted_thinking", data: "b3A" },
    { type: "text", text: "a" },
  ])
  const foreign = await bodyFor([userText("go"), replyMessage(content), userText("on")])
  assert.deepEqual(foreign.body.messages[1]?.content, [
    { type: "text", text: "<thinking>\nhm\n</thinking>" },
    { type: "text", text: "a" },
  ])
})

test("reasoning that was cut before its signature is dropped", async () => {
  const half = replyMessage(
    [
      { type: "thinking", text: "hm" },
      { type: "text", text: "a" },
    ],
    { model: here, stopReason: "aborted" },
  )
  const { body } = await bodyFor([userText("go"), half, userText("on")])
  assert.deepEqual(body.messages[1]?.content, [{ type: "text", text: "a" }])
})

test("[PROVIDER-ID.1] [PROVIDER-ID.2] [PROVIDER-ID.7] [PROVIDER-ADP.6] ids are converted, for calls and results, and stay distinct", async () => {
  const given = ["a.b:c|d", "x".repeat(64), "x".repeat(65), "x".repeat(70), "a_b_c-d", "a_b_c_é"]
  const { body } = await bodyFor([
    userText("go"),
    replyMessage(given.map(call), { model: here }),
    ...given.toReversed().map((id) => result(id, id)),
  ])
  const [, sent, answers] = body.messages.map(({ content }) => (Array.isArray(content) ? content : []))
  const ids = (sent ?? []).map((block) => (block.type === "tool_use" ? block.id : ""))
  assert.deepEqual([ids[0], ids[1], ids[4], ids[5]], ["a_b_c_d", given[1], "a_b_c-d", "a_b_c__"])
  for (const id of ids) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/)
  assert.equal(new Set(ids).size, given.length)
  const answered = (answers ?? []).map((block) => block.type === "tool_result" && [block.tool_use_id, block.content])
  assert.deepEqual(
    answered,
    ids.map((id, at) => [id, [{ type: "text", text: given[at] }]]),
  )
})

test("[PROVIDER-ORPH.1] [PROVIDER-ORPH.2] [PROVIDER-MSG.5] a call without a result gets an error result", async () => {
  const { body } = await bodyFor([userText("go"), replyMessage([call("c1")], { model: here })])
  assert.deepEqual(body.messages[2], {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "c1",
        content: [{ type: "text", text: "No result provided" }],
        is_error: true,
        ...kept,
      },
    ],
  })
})

test("a bearer token is sent as one", async () => {
  const transport = fakeTransport({ body: ["x"] })
  const credential = { key: "t", from: "ANTHROPIC_AUTH_TOKEN", bearer: true }
  await collect(anthropicMessages(modelOf(protocol), { transport, clock: manualClock(), credential }))
  assert.equal(transport.requests[0]?.headers["authorization"], "Bearer t")
  assert.equal(transport.requests[0]?.headers["x-api-key"], undefined)
})
