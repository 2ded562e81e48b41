import assert from "node:assert/strict"
import { test } from "node:test"
import { type Compat, deepFreeze, type Message, userText } from "@gong/spec"
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import { createRegistry, noOwnModels, resolveModel } from "../../src/index.ts"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import {
  requestWith,
  collect,
  events,
  fakeTransport,
  manualClock,
  modelOf,
  replyMessage,
  resultMessage as result,
} from "../helpers.ts"

const ls = { name: "ls", description: "lists", parameters: { type: "object", properties: {} } }

async function bodyFor(messages: readonly Message[], ask: Parameters<typeof requestWith>[0] = {}, model = modelOf()) {
  const transport = fakeTransport({ body: [events("[DONE]")] })
  const ports = { transport, clock: manualClock(), credential: { key: "sk-1", from: "X" } }
  await collect(openaiCompletions(model, ports), requestWith({ messages, ...ask }))
  // The official client's request type checks the fields used below.
  return { body: transport.bodies()[0] as ChatCompletionCreateParamsStreaming, request: transport.requests[0] }
}

const call = (id: string, args: Record<string, unknown> = {}) =>
  ({ type: "tool_call", id, name: "ls", arguments: args }) as const

test("[PROVIDER-SYS.2] [PROVIDER-ADP.4] the system prompt is the first message, as system or developer", async () => {
  const { body, request } = await bodyFor([userText("hi")], { tools: [ls] })
  assert.deepEqual(body, {
    model: "m",
    messages: [
      { role: "system", content: "sys" },
      { role: "user", content: "hi" },
    ],
    tools: [{ type: "function", function: ls }],
    stream: true,
    stream_options: { include_usage: true },
  } satisfies ChatCompletionCreateParamsStreaming)
  assert.equal(request?.url, "http://model.test/v1/chat/completions")
  assert.equal(request?.headers["authorization"], "Bearer sk-1")
  const developer = await bodyFor([userText("hi")], {}, modelOf({ compat: { systemRole: "developer" } }))
  assert.equal(developer.body.messages[0]?.role, "developer")
})

test("[PROVIDER-THK.4] [PROVIDER-02] thinking levels become reasoning_effort, the nearest supported one", async () => {
  const effort = async (
    thinking: "off" | "minimal" | "low" | "medium" | "high" | "xhigh",
    efforts?: ("off" | "minimal" | "high")[],
  ) =>
    (await bodyFor([userText("hi")], { thinking }, modelOf(efforts ? { compat: { efforts } } : {}))).body
      .reasoning_effort
  assert.deepEqual([await effort("low"), await effort("medium"), await effort("high")], ["low", "medium", "high"])
  assert.deepEqual([await effort("off"), await effort("minimal"), await effort("xhigh")], [undefined, "low", "high"])
  assert.deepEqual([await effort("off", ["off"]), await effort("high", ["off"])], ["none", "none"])
  const noEffort = modelOf({ compat: { noEffort: true, efforts: ["off", "high"] } })
  assert.equal((await bodyFor([userText("hi")], { thinking: "high" }, noEffort)).body.reasoning_effort, "none")
  const plain = await bodyFor([userText("hi")], { thinking: "high" }, modelOf({ reasoning: false }))
  assert.equal("reasoning_effort" in plain.body, false)
})

test("[PROVIDER-02] [PROVIDER-ADP.5] arguments are JSON strings; details are not sent", async () => {
  const { body } = await bodyFor([
    userText("go"),
    replyMessage([{ type: "text", text: "ok" }, call("c1", { path: "ü" })]),
    result("c1", "a\nb"),
  ])
  assert.deepEqual(body.messages.slice(2), [
    {
      role: "assistant",
      content: "ok",
      tool_calls: [{ id: "c1", type: "function", function: { name: "ls", arguments: '{"path":"ü"}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: "a\nb" },
  ] satisfies ChatCompletionCreateParamsStreaming["messages"])
})

test("[PROVIDER-ORPH.1] [PROVIDER-ORPH.2] [PROVIDER-ORPH.3] [PROVIDER-MSG.5] a call without a result gets one, right after its message and only it", async () => {
  const { body } = await bodyFor([
    userText("go"),
    replyMessage([call("c1"), call("c2")]),
    userText("steer"),
    result("c2", "there"),
  ])
  assert.deepEqual(body.messages.slice(3), [
    { role: "tool", tool_call_id: "c1", content: "No result provided" },
    { role: "tool", tool_call_id: "c2", content: "there" },
    { role: "user", content: "steer" },
  ])
})

test("[PROVIDER-ORPH.4] [PROVIDER-ORPH.5] answered calls stay unchanged; a result without its call is dropped", async () => {
  const { body } = await bodyFor([
    userText("go"),
    result("gone", "x"),
    replyMessage([call("c1")]),
    result("c1", "y"),
    result("other", "z"),
  ])
  const whole = [userText("go"), replyMessage([call("c1")]), result("c1", "y")]
  assert.deepEqual(body.messages.slice(1), [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "ls", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: "y" },
  ])
  assert.deepEqual((await bodyFor(whole)).body, body, "a complete history stays unchanged")
})

const another = { model: { provider: "test", id: "other", api: "openai-completions" } }

test("a model's own ids are sent back unchanged, up to a length of 40", async () => {
  const given = ["functions.ls:0", "调用 1", `call_${"x".repeat(60)}`]
  const { body } = await bodyFor([userText("go"), replyMessage(given.map((id) => call(id)))])
  const reply = body.messages[2]
  const sent = reply?.role === "assistant" ? (reply.tool_calls ?? []).map(({ id }) => id) : []
  assert.deepEqual(sent.slice(0, 2), given.slice(0, 2))
  assert.ok(sent[2]?.length === 40)
})

test("[PROVIDER-ID.3] [PROVIDER-ID.7] [PROVIDER-ADP.6] long and invalid ids are converted, for calls and results, and stay distinct", async () => {
  const long = `call_${"x".repeat(60)}`
  const { body } = await bodyFor([
    userText("go"),
    replyMessage([call(`${long}1`), call(`${long}2`), call("a|b"), call("a_b")], another),
    result("a_b", "4"),
    result(`${long}2`, "2"),
    result(`${long}1`, "1"),
    result("a|b", "3"),
  ])
  const assistant = body.messages[2]
  const sent = (assistant?.role === "assistant" && assistant.tool_calls?.map(({ id }) => id)) || []
  assert.equal(new Set(sent).size, 4)
  assert.equal(sent[3], "a_b")
  for (const id of sent) assert.match(id, /^[a-zA-Z0-9_-]{1,40}$/)
  const results = body.messages.flatMap((message) =>
    message.role === "tool" ? [[message.tool_call_id, message.content]] : [],
  )
  assert.deepEqual(
    results,
    sent.map((id, at) => [id, `${at + 1}`]),
  )
})

test("a call of a tool with an invalid name is sent back under a valid one", async () => {
  const names = ["rm -rf /", "a.b:c", "x".repeat(70), "", "工具", "fine-name_2"]
  const odd = names.map((name, index) => ({ type: "tool_call" as const, id: `c${index}`, name, arguments: {} }))
  const { body } = await bodyFor([userText("go"), replyMessage(odd)])
  const reply = body.messages[2]
  const sent = reply?.role === "assistant" ? (reply.tool_calls ?? []) : []
  assert.deepEqual(
    sent.map((one) => (one.type === "function" ? one.function.name : "")),
    ["rm_-rf__", "a_b_c", "x".repeat(64), "unnamed", "__", "fine-name_2"],
  )
})

test("[PROVIDER-ID.6] Mistral's ids are nine letters and digits", async () => {
  const model = modelOf({ compat: { shortIds: true } })
  const { body } = await bodyFor(
    [userText("go"), replyMessage([call("call_1"), call("call_2"), call("abcDEF123")])],
    {},
    model,
  )
  const assistant = body.messages[2]
  const sent = (assistant?.role === "assistant" && assistant.tool_calls?.map(({ id }) => id)) || []
  for (const id of sent) assert.match(id, /^[a-zA-Z0-9]{9}$/)
  assert.equal(new Set(sent).size, 3)
  assert.equal(sent[2], "abcDEF123")
})

test("[PROVIDER-MSG.3] [PROVIDER-MSG.4] [PROVIDER-THK.9] reasoning goes back to its model in its field, to others as tagged text", async () => {
  const thinking = { type: "thinking", text: "hm", signature: "reasoning" } as const
  const own = await bodyFor([userText("go"), replyMessage([thinking, { type: "text", text: "a" }])])
  assert.deepEqual(own.body.messages[2], { role: "assistant", content: "a", reasoning: "hm" })
  const other = { provider: "test", id: "other", api: "openai-completions" }
  const foreign = await bodyFor([
    userText("go"),
    replyMessage([thinking, { type: "text", text: "a" }], { model: other }),
  ])
  assert.deepEqual(foreign.body.messages[2], { role: "assistant", content: "<thinking>\nhm\n</thinking>\na" })
})

test("images are data URLs, those of tools after the results; a model without images gets a note", async () => {
  const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const
  const messages = [
    userText("look", [image]),
    replyMessage([call("c1")]),
    result("c1", "seen", { content: [{ type: "text", text: "seen" }, image] }),
  ]
  const { body } = await bodyFor(messages)
  const url = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }
  assert.deepEqual(body.messages[1]?.content, [{ type: "text", text: "look" }, url])
  assert.deepEqual(body.messages[4]?.content, [{ type: "text", text: "Images from the tool results above:" }, url])
  const blind = await bodyFor(messages, {}, modelOf({ images: false }))
  assert.equal(blind.body.messages[1]?.content, "look\n[image left out: no images are sent to m]")
  assert.equal(blind.body.messages.length, 4)
})

test("the content of an aborted reply is sent in a valid form, and an empty one is not sent", async () => {
  const { body } = await bodyFor([
    userText("go"),
    replyMessage([], { stopReason: "aborted" }),
    replyMessage([{ type: "text", text: "half" }, call("c1")], { stopReason: "aborted" }),
    userText("again"),
  ])
  assert.deepEqual(
    body.messages.map((message) => message.role),
    ["system", "user", "assistant", "tool", "user"],
  )
})

test("the output limit is sent only if the endpoint has a field for it", async () => {
  const { body } = await bodyFor(
    [userText("hi")],
    {},
    modelOf({ compat: { maxTokensField: "max_completion_tokens", noStreamUsage: true } }),
  )
  assert.equal(body.max_completion_tokens, 8000)
  assert.equal("stream_options" in body, false)
})

test("thinking is switched by the provider's field; a model that cannot stop thinking gets no switch", async () => {
  const switched = async (thinking: "off" | "high", compat: Compat) => {
    const { body } = await bodyFor([userText("hi")], { thinking }, modelOf({ compat }))
    const { model: _, messages: __, stream: ___, stream_options: ____, ...rest } = body
    return rest as unknown
  }
  const typed = { thinkingSwitch: "type", efforts: ["off", "high"] } as const
  assert.deepEqual(await switched("off", typed), { thinking: { type: "disabled" } })
  assert.deepEqual(await switched("high", typed), { thinking: { type: "enabled" }, reasoning_effort: "high" })
  assert.deepEqual(await switched("off", { thinkingSwitch: "type", efforts: ["high"] }), {})
  const enable = { thinkingSwitch: "enable", efforts: ["off"] } as const
  assert.deepEqual(await switched("off", enable), { enable_thinking: false })
  assert.deepEqual(await switched("high", enable), { enable_thinking: true })
  const kept = { ...typed, thinkingWith: { clear_thinking: false } }
  assert.deepEqual(await switched("off", kept), { thinking: { type: "disabled" } })
  assert.deepEqual(await switched("high", kept), {
    thinking: { type: "enabled", clear_thinking: false },
    reasoning_effort: "high",
  })
  assert.deepEqual(await switched("high", { thinkingSwitch: "effort" }), { reasoning_effort: "high" })
  const reasoning = { thinkingSwitch: "reasoning", efforts: ["off", "low"] } as const
  assert.deepEqual(await switched("high", reasoning), { reasoning: { effort: "low" } })
  assert.deepEqual(await switched("off", reasoning), { reasoning: { effort: "none" } })
})

test("[PROVIDER-11] [PROVIDER-ARG.4] Mistral: ids of nine letters and digits, reasoning in tags, arguments as JSON text both ways", async () => {
  const resolved = await resolveModel({ provider: "mistral", id: "devstral-latest" }, createRegistry(noOwnModels))
  assert.ok(resolved.ok)
  const foreign = { model: { provider: "anthropic", id: "claude-opus-5", api: "anthropic-messages" } }
  const thought = { type: "thinking", text: "hm", signature: "s" } as const
  const printed = replyMessage([thought, call("toolu_01AbC", { path: "ü" })], foreign)
  const messages = [userText("go"), printed, result("toolu_01AbC", "x")].map(deepFreeze)
  const index = { index: 0, id: "abcdefghi", function: { name: "ls", arguments: '{"path":' } }
  const rest = { index: 0, function: { arguments: '"b"}' } }
  const chunks = [index, rest].map((one) => ({ choices: [{ delta: { tool_calls: [one] } }] }))
  const end = { choices: [{ delta: {}, finish_reason: "tool_calls" }] }
  const transport = fakeTransport({ body: [events(...chunks, end, "[DONE]")] })
  const ports = { transport, clock: manualClock(), credential: null }
  const { reply } = await collect(openaiCompletions(resolved.model, ports), requestWith({ messages }))
  const [, , assistant, tool] = (transport.bodies()[0] as ChatCompletionCreateParamsStreaming).messages
  assert.ok(assistant?.role === "assistant" && tool?.role === "tool")
  assert.equal(assistant.content, "<thinking>\nhm\n</thinking>")
  const [made] = assistant.tool_calls ?? []
  assert.match(made?.id ?? "", /^[a-zA-Z0-9]{9}$/)
  assert.equal(tool.tool_call_id, made?.id)
  assert.equal(made?.type === "function" && made.function.arguments, '{"path":"ü"}')
  assert.ok(reply.ok)
  assert.deepEqual(reply.message.content, [
    { type: "tool_call", id: "abcdefghi", name: "ls", arguments: { path: "b" } },
  ])
})
