import assert from "node:assert/strict"
import { test } from "node:test"
import type { Content, GenerateContentParameters, GenerationConfig, Tool } from "@google/genai"
import {
  type AssistantContent,
  deepFreeze,
  type Message,
  type Model,
  type ThinkingLevel,
  type ToolCall,
  type ToolResultMessage,
  type UserContent,
  userText,
} from "@gong/spec"
import { validateGoogleGenerativeAI } from "@gong/testing/validator/google-generative-ai"
import { googleGenerativeAi } from "../../src/google-generative-ai/provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, replyMessage } from "../helpers.ts"

const api = "google-generative-ai"
const here = { provider: "test", id: "m", api }
const baseUrl = "http://model.test/v1beta"
const ls = { name: "ls", description: "lists", parameters: { type: "object", properties: {} } }
const over = events({ candidates: [{ content: { parts: [{ text: "ok" }] }, finishReason: "STOP" }] })

function gemini(more: Partial<Model> = {}): Model {
  return modelOf({ api, baseUrl, ...more })
}

/** The body of a request as the official client's type, which checks the fields used below. */
interface Body extends Pick<GenerateContentParameters, "contents"> {
  readonly contents: Content[]
  readonly systemInstruction?: Content
  readonly tools?: Tool[]
  readonly generationConfig: GenerationConfig
}

async function bodyFor(messages: readonly Message[], ask: Parameters<typeof requestWith>[0] = {}, model = gemini()) {
  const transport = fakeTransport({ body: [over] })
  const ports = { transport, clock: manualClock(), credential: { key: "AIza-1", from: "X" } }
  await collect(googleGenerativeAi(model, ports), requestWith({ messages, ...ask }))
  const body = transport.bodies()[0]
  assert.deepEqual(validateGoogleGenerativeAI(body), [])
  return { body: body as Body, request: transport.requests[0] }
}

/** Everything after the user's first message. */
async function contentsAfter(messages: readonly Message[], model = gemini()): Promise<Content[]> {
  const { body } = await bodyFor([userText("go"), ...messages, userText("on")], {}, model)
  return body.contents.slice(1, -1)
}

const text = (value: string) => ({ type: "text", text: value }) as const
const image = (mimeType = "image/png") => ({ type: "image", mimeType, data: "AAAA" }) as const
const call = (id: string, more: Partial<ToolCall> = {}) =>
  ({ type: "tool_call", id, name: "ls", arguments: { path: "ü" }, ...more }) as const
const own = (content: readonly AssistantContent[]) => replyMessage(content, { model: here })

function result(id: string, content: readonly UserContent[], isError = false): ToolResultMessage {
  const status = isError ? "error" : "ok"
  return deepFreeze({ role: "tool", toolCallId: id, toolName: "ls", content, details: { secret: 1 }, isError, status })
}

test("[PROVIDER-SYS.4] [PROVIDER-04] [PROVIDER-ADP.4] the system prompt is in `systemInstruction`, functions are declared, the key is in a header", async () => {
  const { body, request } = await bodyFor([userText("hi")], { tools: [ls], sessionId: "s" })
  assert.deepEqual(body, {
    systemInstruction: { parts: [{ text: "sys" }] },
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    tools: [{ functionDeclarations: [{ name: "ls", description: "lists", parametersJsonSchema: ls.parameters }] }],
    generationConfig: { maxOutputTokens: 8000, thinkingConfig: { thinkingBudget: 512 } },
  } satisfies Body)
  assert.equal(request?.url, "http://model.test/v1beta/models/m:streamGenerateContent?alt=sse")
  assert.equal(request?.headers["x-goog-api-key"], "AIza-1")
  assert.ok(!("authorization" in request.headers))
})

test("a model without thinking gets no thinking options; without tools or system prompt both fields are absent", async () => {
  const { body, request } = await bodyFor(
    [userText("hi")],
    { system: "", thinking: "high" },
    gemini({ id: "tunedModels/a b", reasoning: false }),
  )
  assert.deepEqual(Object.keys(body), ["contents", "generationConfig"])
  assert.deepEqual(body.generationConfig, { maxOutputTokens: 8000 })
  assert.equal(request?.url, "http://model.test/v1beta/tunedModels/a%20b:streamGenerateContent?alt=sse")
})

async function thinkingFor(thinking: ThinkingLevel, more: Partial<Model> = {}) {
  return (await bodyFor([userText("hi")], { thinking }, gemini(more))).body.generationConfig.thinkingConfig
}

test("[PROVIDER-04] a thinking budget leaves room for the answer, and can be switched off", async () => {
  const large = { maxOutput: 65_536 }
  assert.deepEqual(await thinkingFor("minimal", large), { includeThoughts: true, thinkingBudget: 512 })
  assert.deepEqual(await thinkingFor("medium", large), { includeThoughts: true, thinkingBudget: 8192 })
  assert.deepEqual(await thinkingFor("xhigh", large), { includeThoughts: true, thinkingBudget: 24_576 })
  assert.deepEqual(await thinkingFor("high"), { includeThoughts: true, thinkingBudget: 4000 })
  assert.deepEqual(await thinkingFor("off"), { thinkingBudget: 512 })
  assert.deepEqual(await thinkingFor("off", { compat: { thinkingOff: "disabled" } }), { thinkingBudget: 0 })
})

test("[PROVIDER-04] a thinking level is the nearest supported one; the minimum when it is off", async () => {
  const compat = { adaptiveThinking: true }
  assert.deepEqual(await thinkingFor("medium", { compat }), { includeThoughts: true, thinkingLevel: "MEDIUM" })
  assert.deepEqual(await thinkingFor("xhigh", { compat }), { includeThoughts: true, thinkingLevel: "HIGH" })
  assert.deepEqual(await thinkingFor("off", { compat }), { thinkingLevel: "LOW" })
  const flash = { ...compat, efforts: ["minimal", "low", "medium", "high"] as const }
  assert.deepEqual(await thinkingFor("off", { compat: flash }), { thinkingLevel: "MINIMAL" })
  assert.deepEqual(await thinkingFor("high", { compat: { ...compat, efforts: ["low"] } }), {
    includeThoughts: true,
    thinkingLevel: "LOW",
  })
})

test("[PROVIDER-04] [PROVIDER-ADP.1] [PROVIDER-ADP.5] order of a turn: reasoning, text, calls with the first one's signature, their results, the user", async () => {
  const contents = await contentsAfter([
    own([
      { type: "thinking", text: "hm", signature: "" },
      text("a"),
      { type: "thinking", text: "", signature: "ZW5k" },
      call("call_1", { signature: "c2VhbGVk" }),
      call("call_2"),
    ]),
    result("call_2", [text("no")], true),
    result("call_1", [text("x"), text("y")]),
    userText("and?"),
  ])
  assert.deepEqual(contents, [
    {
      role: "model",
      parts: [
        { text: "hm", thought: true },
        { text: "a" },
        { text: "", thoughtSignature: "ZW5k" },
        { functionCall: { id: "call_1", name: "ls", args: { path: "ü" } }, thoughtSignature: "c2VhbGVk" },
        { functionCall: { id: "call_2", name: "ls", args: { path: "ü" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "call_1", name: "ls", response: { output: "x\ny" } } },
        { functionResponse: { id: "call_2", name: "ls", response: { error: "no" } } },
      ],
    },
    { role: "user", parts: [{ text: "and?" }] },
  ] satisfies Content[])
})

test("[PROVIDER-THK.10] [PROVIDER-MSG.3] [PROVIDER-MSG.4] reasoning of other models is text in <thinking> tags; their calls get a placeholder signature", async () => {
  const printed = [
    { type: "thinking", text: "hm", signature: "theirs" },
    call("toolu_1", { signature: "dGhlaXJz" }),
    call("toolu_2"),
  ] as const
  const results = [result("toolu_1", [text("x")]), result("toolu_2", [])]
  const functionCall = (id: string) => ({ id, name: "ls", args: { path: "ü" } })
  const [foreign] = await contentsAfter([replyMessage(printed, { model: { ...here, id: "other" } }), ...results])
  assert.deepEqual(foreign, {
    role: "model",
    parts: [
      { text: "<thinking>\nhm\n</thinking>" },
      { functionCall: functionCall("toolu_1"), thoughtSignature: "skip_thought_signature_validator" },
      { functionCall: functionCall("toolu_2") },
    ],
  } satisfies Content)
  const [unsigned] = await contentsAfter([own([{ type: "thinking", text: "hm" }, text("a")])])
  assert.deepEqual(unsigned?.parts, [{ text: "<thinking>\nhm\n</thinking>" }, { text: "a" }])
})

test("[PROVIDER-ADP.6] [PROVIDER-ID.7] ids are converted, for calls and results; an invalid tool name is made valid", async () => {
  const odd = "a.b:c|d".repeat(12)
  const contents = await contentsAfter([own([call(odd, { name: "1 rm" })]), result(odd, [text("x")])])
  const made = contents[0]?.parts?.[0]?.functionCall
  const answered = contents[1]?.parts?.[0]?.functionResponse
  assert.match(made?.id ?? "", /^[a-zA-Z0-9_-]{64}$/)
  assert.deepEqual([answered?.id, answered?.name, made?.name], [made?.id, "_1_rm", "_1_rm"])
})

test("[PROVIDER-ORPH.1] [PROVIDER-ORPH.2] [PROVIDER-MSG.5] a call without a result gets one; a reply that was cut during reasoning is not sent", async () => {
  const cut = replyMessage([{ type: "thinking", text: "hm", signature: "" }], { model: here, stopReason: "aborted" })
  assert.deepEqual(await contentsAfter([own([call("call_1")]), cut]), [
    { role: "model", parts: [{ functionCall: { id: "call_1", name: "ls", args: { path: "ü" } } }] },
    {
      role: "user",
      parts: [{ functionResponse: { id: "call_1", name: "ls", response: { error: "No result provided" } } }],
    },
  ] satisfies Content[])
})

test("images are inline, those of results after them; unsupported types, and models without images, get a note", async () => {
  const inlineData = { mimeType: "image/png", data: "AAAA" }
  const messages = [own([call("call_1")]), result("call_1", [text("seen"), image()]), userText("look", [image()])]
  const sent = await contentsAfter(messages)
  assert.deepEqual(sent.slice(1), [
    {
      role: "user",
      parts: [
        {
          functionResponse: { id: "call_1", name: "ls", response: { output: "seen\n(see the image below)" } },
        },
      ],
    },
    { role: "user", parts: [{ text: "Images from the tool results above:" }, { inlineData }] },
    { role: "user", parts: [{ text: "look" }, { inlineData }] },
  ] satisfies Content[])
  const gif = await contentsAfter([userText("look", [image("image/gif")])])
  assert.deepEqual(gif[0]?.parts, [{ text: "look" }, { text: "[image left out: m takes no image/gif]" }])
  const blind = JSON.stringify(await contentsAfter(messages, gemini({ images: false })))
  assert.ok(!blind.includes("inlineData") && blind.includes("no images are sent to m"))
})

test("a refused signature is removed, and the request is repeated once with the placeholder", async () => {
  const error = {
    code: 400,
    message: "Function call is missing a thought_signature in functionCall parts.",
    status: "INVALID_ARGUMENT",
  }
  const transport = fakeTransport({ status: 400, body: [JSON.stringify([{ error }])] }, { body: [over] })
  const messages = [
    userText("go"),
    own([{ type: "thinking", text: "hm", signature: "c2Vh" }, call("call_1", { signature: "bGVk" })]),
    result("call_1", [text("x")]),
  ].map(deepFreeze)
  const { reply } = await collect(
    googleGenerativeAi(gemini(), { transport, clock: manualClock(), credential: null }),
    requestWith({ messages }),
  )
  assert.ok(reply.ok)
  const [first, second] = transport.bodies().map((body) => JSON.stringify(body))
  assert.ok(first?.includes("c2Vh") && first.includes("bGVk"))
  assert.ok(second?.includes("skip_thought_signature_validator"))
  assert.ok(second && !second.includes("c2Vh") && !second.includes("bGVk") && !second.includes("hm"))
})
