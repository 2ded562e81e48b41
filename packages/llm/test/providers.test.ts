import assert from "node:assert/strict"
import { test } from "node:test"
import {
  type Api,
  type Failure,
  failure,
  FailureError,
  type Message,
  type Model,
  type Reply,
  userText,
} from "@gong/spec"
import { createRegistry, noOwnModels, openProvider, type OwnModels, providers, resolveModel } from "../src/index.ts"
import { requestWith, collect, events, fakeTransport, type FakeReply, manualClock, replyMessage } from "./helpers.ts"

const key = "k-0123456789"

async function modelAt(provider: string, id: string, own: Partial<OwnModels> = {}, env = {}): Promise<Model> {
  const resolved = await resolveModel({ provider, id, env }, createRegistry({ ...noOwnModels, ...own }))
  assert.ok(resolved.ok, resolved.ok ? "" : resolved.failure.message)
  return resolved.model
}

async function asked(model: Model, answer: FakeReply = { body: [events(hello, "[DONE]")] }) {
  const transport = fakeTransport(answer)
  const credential = { key, from: "TEST_KEY" }
  const provider = await openProvider(model, { transport, clock: manualClock(), credential })
  const { reply } = await collect(provider, requestWith())
  return { reply, request: transport.requests[0], body: transport.bodies()[0] as Record<string, unknown> }
}

const hello = { choices: [{ index: 0, delta: { content: "hello" }, finish_reason: "stop" }] }

function failureIn(reply: Reply): Failure {
  assert.ok(!reply.ok)
  return reply.failure
}

/** Rows of the scenarios that say: the common adapter serves this provider, at its own address. */
const common = { "PROVIDER-14": "ollama", "PROVIDER-15": "lmstudio", "PROVIDER-16": "huggingface" } as const
const common2 = { "PROVIDER-17": "moonshot", "PROVIDER-19": "deepseek" } as const

for (const [scenario, id] of Object.entries({ ...common, ...common2 })) {
  test(`[${scenario}] ${id} is used by the common adapter at its own base URL`, async () => {
    const row = providers.find((one) => one.id === id)
    const { reply, request, body } = await asked(await modelAt(id, row?.defaultModel ?? "local-model"))
    assert.ok(reply.ok)
    assert.equal(request?.url, `${row?.baseUrl}/chat/completions`)
    assert.equal(body["model"], row?.defaultModel ?? "local-model")
  })
}

test("every provider is called at its own address for each wire format, with its key in that format's header", async () => {
  const places: Readonly<Record<Api, readonly [path: string, header: string, value: string]>> = {
    "openai-completions": ["/chat/completions", "authorization", `Bearer ${key}`],
    "openai-responses": ["/responses", "authorization", `Bearer ${key}`],
    "anthropic-messages": ["/v1/messages", "x-api-key", key],
    "google-generative-ai": ["/models/gemini-2.5-pro:streamGenerateContent?alt=sse", "x-goog-api-key", key],
  }
  for (const row of providers.filter(({ id }) => id !== "azure"))
    for (const [api, baseUrl] of [[row.api, row.baseUrl], ...Object.entries(row.also ?? {})] as [Api, string][]) {
      const resolved = await resolveModel({ provider: row.id, id: row.defaultModel ?? "any", api })
      assert.ok(resolved.ok)
      const { request } = await asked(resolved.model)
      const [path, header, value] = places[api]
      assert.deepEqual([request?.url, request?.headers[header]], [baseUrl + path, value], row.id)
    }
})

test("[PROVIDER-06] Azure is called by deployment name, at the user's own resource", async () => {
  const own = { models: { azure: { "gpt-5.1": { wireId: "team-gpt" } } } }
  const env = { AZURE_OPENAI_BASE_URL: "https://shop.openai.azure.com/openai/v1/" }
  const model = await modelAt("azure", "gpt-5.1", own, env)
  const { request, body } = await asked(model)
  assert.equal(request?.url, "https://shop.openai.azure.com/openai/v1/chat/completions")
  assert.equal(body["model"], "team-gpt")
  assert.deepEqual([model.id, model.contextWindow], ["gpt-5.1", 400_000])
})

test("[PROVIDER-08] xAI's wording for an overlong prompt is an overflow", async () => {
  const error = "This model's maximum prompt length is 131072 but the request contains 140000 tokens."
  const body = [JSON.stringify({ code: "Client specified an invalid argument", error })]
  const { reply } = await asked(await modelAt("xai", "grok-4.5"), { status: 400, body })
  assert.equal(failureIn(reply).kind, "context-overflow")
})

test("[PROVIDER-09] a 429 of Groq is retried after Groq's delay", async () => {
  const body = [JSON.stringify({ error: { message: "Rate limit reached", code: "rate_limit_exceeded" } })]
  const answer = { status: 429, headers: { "retry-after": "7" }, body }
  const failure = failureIn((await asked(await modelAt("groq", "openai/gpt-oss-120b"), answer)).reply)
  assert.deepEqual([failure.kind, failure.retryable, failure.retryAfterMs], ["rate-limit", true, 7000])
})

test("[PROVIDER-10] Cerebras answers an overlong prompt with 400 or 413 and no body", async () => {
  for (const status of [400, 413]) {
    const { reply } = await asked(await modelAt("cerebras", "gpt-oss-120b"), { status, body: [] })
    assert.equal(failureIn(reply).kind, "context-overflow")
  }
})

test("[PROVIDER-12] [PROVIDER-18] the user's routing is sent with each request to OpenRouter and to Vercel's gateway", async () => {
  for (const [id, routing] of [
    ["openrouter", { provider: { only: ["anthropic", "google-vertex"], allow_fallbacks: false } }],
    ["vercel", { providerOptions: { gateway: { order: ["bedrock", "anthropic"] } } }],
  ] as const) {
    const row = providers.find((one) => one.id === id)
    assert.ok(row)
    const model = await modelAt(id, "anthropic/claude-sonnet-5.5", { providers: [{ ...row, body: routing }] })
    const { body } = await asked(model)
    const [field = "", value] = Object.entries(routing)[0] ?? []
    assert.deepEqual(body[field], value)
  }
})

test("[PROVIDER-13] z.ai truncates an overlong prompt silently; its token count reveals it", async () => {
  const model = await modelAt("zai", "glm-5.2")
  const usage = { prompt_tokens: model.contextWindow + 1, completion_tokens: 1 }
  const { reply } = await asked(model, { body: [events({ ...hello, usage }, "[DONE]")] })
  assert.equal(failureIn(reply).kind, "context-overflow")
})

test("[PROVIDER-CAT.2] cost of a reply: cached tokens at their price, yuan for a price list in yuan, null without a price", async () => {
  const usage = {
    prompt_tokens: 1_000_000,
    completion_tokens: 100_000,
    prompt_tokens_details: { cached_tokens: 400_000 },
  }
  const answer = { body: [events({ ...hello, usage }, "[DONE]")] }
  const costs = async (provider: string, id: string) => {
    const { reply } = await asked(await modelAt(provider, id), answer)
    return reply.ok ? [reply.message.cost, reply.message.costCny].map(rounded) : null
  }
  assert.deepEqual(await costs("moonshot", "kimi-k2.6"), [0.6 * 0.95 + 0.4 * 0.16 + 0.1 * 4, undefined].map(rounded))
  const yuan = 0.6 * 6.5 + 0.4 * 1.1 + 0.1 * 27
  assert.deepEqual(await costs("moonshot-cn", "kimi-k2.6"), [yuan / 6.7, yuan].map(rounded))
  assert.deepEqual(await costs("moonshot", "kimi-k9"), [null, undefined])
})

function rounded(money: number | null | undefined): number | null | undefined {
  return typeof money === "number" ? Number(money.toFixed(9)) : money
}

test("a session of another model continues with DeepSeek, Kimi and MiMo: every reply has the reasoning that they require", async () => {
  const ls = { name: "ls", description: "lists", parameters: { type: "object", properties: {} } }
  const made = { type: "tool_call", id: "c1", name: "ls", arguments: {} } as const
  const foreign = { model: { provider: "openai", id: "gpt-5.1", api: "openai-responses" } }
  const answer = {
    role: "tool",
    toolCallId: "c1",
    toolName: "ls",
    isError: false,
    status: "ok",
    details: null,
  } as const
  const messages: Message[] = [
    userText("go"),
    replyMessage([made], foreign),
    { ...answer, content: [{ type: "text", text: "a" }] },
    replyMessage([{ type: "text", text: "done" }], foreign),
    userText("again"),
  ]
  const thoughts = async (provider: string, id: string) => {
    const transport = fakeTransport({ body: [events(hello, "[DONE]")] })
    const ports = { transport, clock: manualClock(), credential: null }
    await collect(await openProvider(await modelAt(provider, id), ports), requestWith({ messages, tools: [ls] }))
    const body = transport.bodies()[0] as { readonly messages: readonly Record<string, unknown>[] }
    return body.messages.filter(({ role }) => role === "assistant").map((message) => message["reasoning_content"])
  }
  assert.deepEqual(await thoughts("deepseek", "deepseek-v4-pro"), ["", ""])
  assert.deepEqual(await thoughts("xiaomi", "mimo-v2.6-pro"), ["", ""])
  // Its server treats empty reasoning as none.
  assert.deepEqual(await thoughts("moonshot-cn", "kimi-k2.6"), [" ", " "])
  assert.deepEqual(await thoughts("kimi-coding", "kimi-for-coding"), [" ", " "])
  assert.deepEqual(await thoughts("qwen", "qwen3.6-plus"), [undefined, undefined])
})

test("GLM streams call arguments, and keeps its reasoning between calls", async () => {
  const ls = { name: "ls", description: "lists", parameters: { type: "object", properties: {} } }
  for (const id of ["zai", "zai-coding", "zhipu", "zhipu-coding"]) {
    const model = await modelAt(id, "glm-5.3")
    const sent = async (more: object) => {
      const transport = fakeTransport({ body: [events(hello, "[DONE]")] })
      const ports = { transport, clock: manualClock(), credential: null }
      await collect(await openProvider(model, ports), requestWith({ thinking: "high", ...more }))
      return transport.bodies()[0] as Record<string, unknown>
    }
    const body = await sent({ tools: [ls] })
    assert.equal(body["tool_stream"], true, id)
    assert.deepEqual(body["thinking"], { type: "enabled", clear_thinking: false })
    assert.equal((await sent({}))["tool_stream"], undefined, "rejected without tools")
  }
})

test("over Anthropic's format models that think by default are switched off too, except those that cannot stop", async () => {
  const off = async (provider: string, id: string) => {
    const resolved = await resolveModel({ provider, id, api: "anthropic-messages" })
    assert.ok(resolved.ok)
    return (await asked(resolved.model)).body["thinking"]
  }
  const disabled = { type: "disabled" }
  assert.deepEqual(await off("deepseek", "deepseek-v4-pro"), disabled)
  assert.deepEqual(await off("minimax", "MiniMax-M3"), disabled)
  assert.deepEqual(await off("qwen-cn", "qwen3.6-plus"), disabled)
  assert.deepEqual(await off("zai", "glm-5.2"), disabled)
  assert.equal(await off("zhipu", "glm-5.3"), undefined)
  assert.equal(await off("minimax", "MiniMax-M3.1-Flash"), undefined)
})

test("a monthly plan has its own address or key, on both sites, and no price per token", async () => {
  const plans = ["kimi-coding", "zai-coding", "zhipu-coding", "volcengine-coding"]
  const pairs = ["qwen-coding", "qwen-token-plan", "minimax-token-plan"].flatMap((id) => [id, `${id}-cn`])
  for (const id of [...plans, ...pairs]) {
    const row = providers.find((one) => one.id === id)
    assert.ok(row?.defaultModel, id)
    const { price } = await modelAt(id, row.defaultModel)
    assert.equal(price, undefined, id)
    const { reply } = await asked(await modelAt(id, row.defaultModel), { status: 401, body: ["{}"] })
    assert.equal(failureIn(reply).kind, "auth")
    if (row.region === undefined) continue
    const other = providers.find((one) => one.id === row.region?.other)
    assert.equal(other?.region?.other, id, "each names the other")
    assert.notEqual(other.baseUrl, row.baseUrl)
  }
  const metered = providers.filter(({ id }) => ["minimax", "minimax-cn", "volcengine"].includes(id))
  const variables = metered.flatMap(({ keys }) => keys)
  const shared = providers.filter(
    ({ id, keys }) => /token-plan|volcengine-coding/.test(id) && keys.some((key) => variables.includes(key)),
  )
  // These accept a key of the other kind, and bill it per token silently.
  assert.deepEqual(shared, [])
})

const calling = {
  choices: [
    { index: 0, delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "ls", arguments: '{"path":"a"}' } }] } },
  ],
}

/** Common requirements for every provider; the scenario rows above test details. */
const cases: Readonly<Record<string, readonly [FakeReply, (reply: Reply) => boolean]>> = {
  text: [{ body: [events(hello, "[DONE]")] }, (reply) => reply.ok && reply.message.stopReason === "stop"],
  "a tool call": [
    { body: [events(calling, { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }, "[DONE]")] },
    (reply) =>
      reply.ok && reply.message.content.some((block) => block.type === "tool_call" && block.arguments["path"] === "a"),
  ],
  thinking: [
    { body: [events({ choices: [{ index: 0, delta: { reasoning_content: "hm" } }] }, hello, "[DONE]")] },
    (reply) => reply.ok && reply.message.content[0]?.type === "thinking",
  ],
  overflow: [refusal(400, "This model's maximum context length is 131072 tokens"), isKind("context-overflow", false)],
  "401": [refusal(401, "invalid api key"), isKind("auth", false)],
  "429": [refusal(429, "slow down"), isKind("rate-limit", true)],
  "500": [refusal(500, "internal error"), isKind("overloaded", true)],
  drop: [
    {
      body: [
        events({ choices: [{ index: 0, delta: { content: "hel" } }] }),
        new FailureError(failure("network", "ECONNRESET")),
      ],
    },
    isKind("network", true),
  ],
}

function refusal(status: number, message: string): FakeReply {
  return { status, body: [JSON.stringify({ error: { message } })] }
}

function isKind(kind: Failure["kind"], retryable: boolean) {
  return (reply: Reply) => !reply.ok && reply.failure.kind === kind && reply.failure.retryable === retryable
}

test("every provider over openai-completions: text, tools, thinking, overflow, 401, 429, 500, drop", async () => {
  let count = 0
  for (const { id, api, defaultModel } of providers) {
    if (api !== "openai-completions") continue
    const env = { AZURE_OPENAI_BASE_URL: "https://shop.openai.azure.com/openai/v1" }
    const model = await modelAt(id, defaultModel ?? "any", {}, env)
    for (const [name, [answer, holds]] of Object.entries(cases)) {
      const { reply } = await asked(model, answer)
      assert.ok(holds(reply), `${id}: ${name}: ${JSON.stringify(reply)}`)
      count++
    }
  }
  assert.ok(count > 200, `${count} cases`)
})
