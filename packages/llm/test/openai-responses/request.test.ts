import assert from "node:assert/strict"
import { test } from "node:test"
import { deepFreeze, type Message, type ThinkingLevel, type ToolResultMessage, userText } from "@gong/spec"
import type { ResponseCreateParamsStreaming, ResponseInput } from "openai/resources/responses/responses"
import { validateOpenAIResponses } from "@gong/testing/validator/openai-responses"
import { createBodyCache } from "../../src/protocol/request/body.ts"
import { format } from "../../src/openai-responses/request.ts"
import { openaiResponses } from "../../src/openai-responses/provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, replyMessage } from "../helpers.ts"

const here = { provider: "test", id: "m", api: "openai-responses" }
const ls = { name: "ls", description: "lists", parameters: { type: "object", properties: {} } }
const over = events({ type: "response.completed", response: { output: [{ type: "message", content: [] }] } })
const responsesModel = (more: Parameters<typeof modelOf>[0] = {}) => modelOf({ api: "openai-responses", ...more })

async function bodyFor(
  messages: readonly Message[],
  ask: Parameters<typeof requestWith>[0] = {},
  model = responsesModel(),
) {
  const transport = fakeTransport({ body: [over] })
  const ports = { transport, clock: manualClock(), credential: { key: "sk-1", from: "X" } }
  await collect(openaiResponses(model, ports), requestWith({ messages, ...ask }))
  const [body] = transport.bodies()
  assert.deepEqual(validateOpenAIResponses(body), [])
  // The official client's request type checks the fields used below.
  return { body: body as ResponseCreateParamsStreaming, request: transport.requests[0] }
}

/** The items after the first, which is always the user's. */
async function itemsAfter(messages: readonly Message[], model = responsesModel()): Promise<ResponseInput> {
  const { input } = (await bodyFor([userText("go"), ...messages], {}, model)).body
  assert.ok(Array.isArray(input))
  return input.slice(1)
}

function result(id: string, content: ToolResultMessage["content"], more: Partial<ToolResultMessage> = {}) {
  const message = { role: "tool", toolCallId: id, toolName: "ls", content, details: null, isError: false, status: "ok" }
  return deepFreeze({ ...message, ...more } as ToolResultMessage)
}

const text = (printed: string) => ({ type: "text", text: printed }) as const
const call = (id: string) => ({ type: "tool_call", id, name: "ls", arguments: { path: "ü" } }) as const
const thought = { type: "thinking", text: "hm", signature: "rs_1|c2Vh|bGVk" } as const
const own = (content: Parameters<typeof replyMessage>[0]) => replyMessage(content, { model: here })
const user = (printed: string) => ({ role: "user" as const, content: [{ type: "input_text" as const, text: printed }] })

test("[PROVIDER-SYS.3] [PROVIDER-03] [PROVIDER-ADP.4] the system prompt is in `instructions`; tools are flat and not strict; nothing is stored", async () => {
  const { body, request } = await bodyFor([userText("hi")], { tools: [ls], sessionId: "s1", thinking: "high" })
  assert.deepEqual(body, {
    model: "m",
    instructions: "sys",
    input: [user("hi")],
    tools: [{ type: "function", ...ls, strict: false }],
    max_output_tokens: 8000,
    reasoning: { effort: "high", summary: "auto" },
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "s1",
    store: false,
    stream: true,
  } satisfies ResponseCreateParamsStreaming)
  assert.equal(request?.url, "http://model.test/v1/responses")
  assert.equal(request?.headers["authorization"], "Bearer sk-1")
})

test("a model without thinking gets no reasoning options; without a system prompt there are no instructions", async () => {
  const model = responsesModel({ reasoning: false })
  const { body } = await bodyFor([userText("hi")], { system: "", thinking: "high" }, model)
  assert.deepEqual(Object.keys(body), ["model", "input", "max_output_tokens", "store", "stream"])
})

test("[PROVIDER-03] thinking levels become an effort, the nearest supported one", async () => {
  const reasoning = async (thinking: ThinkingLevel, efforts?: readonly ThinkingLevel[]) =>
    (
      await bodyFor(
        [userText("hi")],
        { thinking },
        responsesModel(efforts ? { compat: { efforts, noEffort: true } } : {}),
      )
    ).body.reasoning
  assert.deepEqual(await reasoning("medium"), { effort: "medium", summary: "auto" })
  assert.deepEqual(await reasoning("xhigh"), { effort: "high", summary: "auto" })
  assert.deepEqual(await reasoning("off"), undefined)
  assert.deepEqual(await reasoning("off", ["off", "low"]), { effort: "none" })
  assert.deepEqual(await reasoning("high", ["off", "low"]), { effort: "low", summary: "auto" })
})

test("[PROVIDER-ID.4] [PROVIDER-03] [PROVIDER-ADP.5] order of a turn: encrypted reasoning, text, a call with both its ids, its output", async () => {
  const items = await itemsAfter([
    own([thought, text("a"), call("call_1|fc_1")]),
    result("call_1|fc_1", [text("x"), text("y")]),
    userText("on"),
  ])
  assert.deepEqual(items, [
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "hm" }],
      encrypted_content: "c2Vh|bGVk",
    },
    { role: "assistant", content: "a" },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "ls", arguments: '{"path":"ü"}' },
    { type: "function_call_output", call_id: "call_1", output: "x\ny" },
    user("on"),
  ] satisfies ResponseInput)
})

test("[PROVIDER-03] [PROVIDER-MSG.3] [PROVIDER-MSG.4] another model gets no encrypted reasoning and no item id", async () => {
  const items = await itemsAfter([
    replyMessage([thought, { ...thought, text: "" }, call("call_1|fc_1")], { model: { ...here, id: "other" } }),
    result("call_1|fc_1", [text("x")]),
  ])
  assert.deepEqual(items, [
    { role: "assistant", content: "<thinking>\nhm\n</thinking>" },
    { type: "function_call", call_id: "call_1", name: "ls", arguments: '{"path":"ü"}' },
    { type: "function_call_output", call_id: "call_1", output: "x" },
  ] satisfies ResponseInput)
})

test("[PROVIDER-ID.4] only the first bar splits; an invalid item id is not sent", async () => {
  const items = await itemsAfter([own([thought, call("call_1|fc_1|x"), call("toolu_2"), call("call_3|msg_3")])])
  const calls = items.flatMap((item) => (item.type === "function_call" ? [[item.call_id, item.id]] : []))
  assert.deepEqual(calls, [
    ["call_1", "fc_1_x"],
    ["toolu_2", undefined],
    ["call_3", undefined],
  ])
})

test("[PROVIDER-ID.5] [PROVIDER-ID.7] [PROVIDER-03] [PROVIDER-ADP.6] ids of 450 characters and more are shortened deterministically, and stay distinct", async () => {
  const long = (last: string) => `call_${"x".repeat(220)}${last}|fc_${"y".repeat(240)}${last}`
  const ids = [long("1"), long("2"), "call_1|fc_a", "call_1|fc_b"]
  const messages = [own([thought, ...ids.map(call)]), ...ids.toReversed().map((id) => result(id, [text(id.slice(-1))]))]
  const items = await itemsAfter(messages)
  const sent = items.flatMap((item) => (item.type === "function_call" ? [item] : []))
  assert.equal(new Set(sent.map((item) => item.call_id)).size, 4)
  assert.equal(new Set(sent.map((item) => item.id)).size, 4)
  for (const { id, call_id: callId } of sent) assert.ok((id?.length ?? 65) <= 64 && callId.length <= 64)
  const outputs = items.flatMap((item) => (item.type === "function_call_output" ? [[item.call_id, item.output]] : []))
  assert.deepEqual(
    outputs,
    sent.map((item, at) => [item.call_id, ["1", "2", "a", "b"][at]]),
  )
  assert.deepEqual(await itemsAfter(messages), items)
})

test("[PROVIDER-ORPH.1] [PROVIDER-ORPH.2] [PROVIDER-MSG.5] a call without an output gets one; trailing reasoning of a cut reply is dropped", async () => {
  const cut = replyMessage([call("call_1|fc_1"), thought], { model: here, stopReason: "aborted" })
  const items = await itemsAfter([cut, replyMessage([thought], { model: here, stopReason: "error" }), userText("on")])
  assert.deepEqual(items, [
    { type: "function_call", call_id: "call_1", name: "ls", arguments: '{"path":"ü"}' },
    { type: "function_call_output", call_id: "call_1", output: "No result provided" },
    user("on"),
  ] satisfies ResponseInput)
})

test("reasoning with another program's signature is dropped", async () => {
  const imported = { ...thought, signature: '{"type":"reasoning","id":"rs_1"}' }
  assert.deepEqual((await itemsAfter([own([imported, text("a")]), userText("b")])).slice(0, 1), [
    { role: "assistant", content: "a" },
  ])
})

test("images of the user and of tools are in place; a model without images gets a note", async () => {
  const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const
  const messages = [own([call("call_1|fc_1")]), result("call_1|fc_1", [text("seen"), image]), userText("look", [image])]
  const sent = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" } as const
  assert.deepEqual((await itemsAfter(messages)).slice(1), [
    { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: "seen" }, sent] },
    { role: "user", content: [{ type: "input_text", text: "look" }, sent] },
  ] satisfies ResponseInput)
  const [, output] = await itemsAfter(messages, responsesModel({ images: false }))
  assert.equal(
    output?.type === "function_call_output" && output.output,
    "seen\n[image left out: no images are sent to m]",
  )
})

test("refused encrypted reasoning is removed with its item ids, and the request is repeated once", async () => {
  const error = {
    message: "The encrypted content gAAA could not be verified. Reason: it could not be decrypted or parsed.",
    type: "invalid_request_error",
    code: "invalid_encrypted_content",
  }
  const transport = fakeTransport({ status: 400, body: [JSON.stringify({ error })] }, { body: [over] })
  const messages = [userText("go"), own([thought, call("call_1|fc_1")]), result("call_1|fc_1", [text("x")])].map(
    deepFreeze,
  )
  const ports = { transport, clock: manualClock(), credential: null }
  await collect(openaiResponses(responsesModel(), ports), requestWith({ messages }))
  const [first, second] = transport.bodies().map((body) => JSON.stringify(body))
  assert.ok(first?.includes("rs_1") && first.includes("fc_1"))
  assert.ok(second?.includes("call_1") && !second.includes("rs_1") && !second.includes("fc_1"))
})

test("for a model without encrypted reasoning the request is repeated once without it", async () => {
  const error = { message: "Encrypted content is not supported with this model.", type: "invalid_request_error" }
  const transport = fakeTransport({ status: 400, body: [JSON.stringify({ error })] }, { body: [over] })
  await collect(openaiResponses(responsesModel(), { transport, clock: manualClock(), credential: null }))
  const asked = transport.bodies().map((body) => (body as ResponseCreateParamsStreaming).include)
  assert.deepEqual(asked, [["reasoning.encrypted_content"], undefined])
})

test("a turn is serialized once: earlier parts are the same bytes in every request", () => {
  let written = 0
  const counting = { ...format, part: (...given: Parameters<typeof format.part>) => (written++, format.part(...given)) }
  const cache = createBodyCache(counting)
  const options = {
    model: responsesModel(),
    system: "sys",
    tools: [ls],
    thinking: "off",
    withoutThinking: false,
  } as const
  const messages: Message[] = [deepFreeze(userText("go"))]
  for (let turn = 0; turn < 20; turn++) {
    messages.push(own([call(`call_${turn}|fc_${turn}`)]), result(`call_${turn}|fc_${turn}`, [text("x")]))
    const { bytes, release } = cache([...messages], options)
    const body = JSON.parse(Buffer.concat(bytes).toString()) as { input: unknown[] }
    assert.equal(body.input.length, messages.length)
    release()
  }
  assert.equal(written, 21)
})
