import assert from "node:assert/strict"
import { test } from "node:test"
import type { Failure, Model } from "@gong/spec"
import { anthropicMessages } from "../../../src/anthropic-messages/provider.ts"
import { openaiCompletions } from "../../../src/openai-completions/provider.ts"
import { collect, fakeTransport, manualClock, modelOf } from "../../helpers.ts"

const key = "sk-secret-0123456789"

async function refused(status: number, body: unknown, headers: Record<string, string> = {}): Promise<Failure> {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const transport = fakeTransport({ status, headers, body: text === "" ? [] : [text] })
  const credential = { key, from: "TEST_KEY" }
  const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock: manualClock(0), credential }))
  assert.ok(!reply.ok)
  assert.equal(reply.partial, null)
  assert.ok(reply.failure.message.length <= 300 && !reply.failure.message.includes("\n"))
  assert.ok(!JSON.stringify(reply.failure).includes(key))
  return reply.failure
}

const printed = (message: string, more: object = {}) => ({ error: { message, ...more } })

test("[AGENT-5.6] a refused key is auth, is not retried, and its source is named", async () => {
  const failure = await refused(401, printed(`Incorrect API key provided: ${key}.`, { code: "invalid_api_key" }))
  assert.equal(failure.kind, "auth")
  assert.equal(failure.retryable, false)
  assert.equal(failure.message, "test refused the key in TEST_KEY (401 Incorrect API key provided: ***.)")
  assert.equal(failure.hint, "gong login test replaces it.")
})

test("a short placeholder key is not redacted", async () => {
  const body = JSON.stringify(printed("no model k at socks5://h"))
  const transport = fakeTransport({ status: 400, body: [body] })
  const credential = { key: "k", from: "--api-key" }
  const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock: manualClock(0), credential }))
  assert.ok(!reply.ok)
  assert.equal(reply.failure.message, "test refused the request (400 no model k at socks5://h)")
})

const overflows: Readonly<Record<string, string>> = {
  "OVF.1": "Prompt Is Too Long: 210000 tokens > 200000 maximum",
  "OVF.2": "Your input exceeds the context window of this model.",
  "OVF.3": "The input token count (1100000) exceeds the maximum number of tokens allowed",
  "OVF.4": "This model's maximum prompt length is 131072 but the request contains 140000 tokens",
  "OVF.5": "Please reduce the length of the messages or completion.",
}
for (const [row, message] of Object.entries(overflows)) {
  test(`[PROVIDER-${row}] [PROVIDER-ADP.7] "${message}" is an overflow`, async () => {
    const failure = await refused(400, printed(message, { type: "invalid_request_error" }))
    assert.equal(failure.kind, "context-overflow")
    assert.equal(failure.retryable, false)
  })
}

test("[PROVIDER-08] xAI has its own error form", async () => {
  const body = {
    code: "Client specified an invalid argument",
    error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  }
  assert.equal((await refused(400, body)).kind, "context-overflow")
})

test("[PROVIDER-OVF.6] [PROVIDER-OVF.7] [PROVIDER-OVF.8] [PROVIDER-10] 400 or 413 without a body is an overflow", async () => {
  assert.equal((await refused(400, "")).kind, "context-overflow")
  assert.equal((await refused(413, "")).kind, "context-overflow")
})

test("[PROVIDER-OVF.10] 429, 401 and a refused reasoning block are no overflow, whatever their message", async () => {
  assert.equal(
    (await refused(429, printed("Too many tokens per minute: reduce the length of the messages"))).kind,
    "rate-limit",
  )
  for (const said401 of ["", printed("prompt is too long: 210000 tokens > 200000 maximum")])
    assert.equal((await refused(401, said401)).kind, "auth")
  const order =
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`; prompt is too long"
  assert.equal((await refused(400, printed(order))).kind, "bad-request")
})

test("[PROVIDER-09] a rate limit has its delay, in seconds, milliseconds or as a date", async () => {
  const wait = async (headers: Record<string, string>) => {
    const failure = await refused(
      429,
      printed("Rate limit reached", { type: "tokens", code: "rate_limit_exceeded" }),
      headers,
    )
    assert.equal(failure.kind, "rate-limit")
    assert.equal(failure.retryable, true)
    return failure.retryAfterMs
  }
  assert.equal(await wait({ "retry-after": "7" }), 7000)
  assert.equal(await wait({ "retry-after": "7", "retry-after-ms": "250" }), 250)
  assert.equal(await wait({ "retry-after": "7", "retry-after-ms": "0" }), 0)
  assert.equal(await wait({ "retry-after": "1.5" }), 1500)
  assert.equal(await wait({ "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }), 9000)
  assert.equal(await wait({ "retry-after": "soon" }), undefined)
  assert.equal(await wait({}), undefined)
})

test("a used-up quota is not a rate limit", async () => {
  const failure = await refused(
    429,
    printed("You exceeded your current quota, please check your plan", { code: "insufficient_quota" }),
  )
  assert.equal(failure.kind, "quota")
  assert.equal(failure.retryable, false)
  assert.equal((await refused(402, printed("Insufficient Balance"))).kind, "quota")
  assert.equal((await refused(400, printed("Your credit balance is too low to access the API"))).kind, "quota")
})

test("[AGENT-S.18] 429, overloaded and 5xx are retryable; other client errors are not", async () => {
  assert.equal((await refused(429, printed("Rate limit reached"))).retryable, true)
  for (const status of [500, 502, 503, 504, 529]) {
    const failure = await refused(status, printed("oops"))
    assert.equal(failure.kind, "overloaded", `${status}`)
    assert.equal(failure.retryable, true)
    assert.equal(failure.status, status)
  }
  const bad = await refused(400, printed("tools.0: unknown field"))
  assert.equal(bad.kind, "bad-request")
  assert.equal(bad.retryable, false)
})

test("404 names model and base URL", async () => {
  const failure = await refused(404, printed("The model `m` does not exist", { code: "model_not_found" }))
  assert.equal(failure.kind, "bad-request")
  assert.equal(failure.hint, "Check the model (m) and the base URL (http://model.test/v1).")
})

test("a proxy's error page is reduced to its title, a long message to one line", async () => {
  const page = await refused(502, "<html><head><title>502 Bad Gateway</title></head><body>x\n</body></html>")
  assert.equal(page.message, "test failed (502 Bad Gateway)")
  const long = await refused(400, printed("x\n ".repeat(1000)))
  assert.equal(long.message.length, 300)
})

test("a redirect is not followed, and its target is named", async () => {
  const failure = await refused(301, "", { location: "https://elsewhere.test/" })
  assert.equal(
    failure.message,
    "http://model.test/v1 answered 301 and points to https://elsewhere.test/: check the base URL",
  )
})

test("anthropic's error form", async () => {
  const body = { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } }
  const transport = fakeTransport({ status: 401, body: [JSON.stringify(body)] })
  const ports = { transport, clock: manualClock(), credential: { key, from: "ANTHROPIC_API_KEY" } }
  const { reply } = await collect(
    anthropicMessages(modelOf({ provider: "anthropic", api: "anthropic-messages" }), ports),
  )
  assert.equal(
    !reply.ok && reply.failure.message,
    "anthropic refused the key in ANTHROPIC_API_KEY (401 invalid x-api-key)",
  )
})

test("for a refused key of a provider with two sites the other site is named; at another address it is not", async () => {
  const hintAt = async (model: Partial<Model>) => {
    const transport = fakeTransport({ status: 401, body: [JSON.stringify(printed("invalid api key"))] })
    const credential = { key, from: "DASHSCOPE_API_KEY" }
    const ports = { transport, clock: manualClock(0), credential }
    const { reply } = await collect(openaiCompletions(modelOf({ id: "qwen3.6-plus", ...model }), ports))
    return reply.ok ? undefined : reply.failure.hint
  }
  const rule = "Keys of the mainland and the international site are not interchangeable"
  assert.equal(
    await hintAt({ provider: "qwen", baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1" }),
    `${rule}; this one went to dashscope-intl (Singapore). Try qwen-cn/qwen3.6-plus`,
  )
  assert.equal(
    await hintAt({ provider: "qwen-cn", baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1" }),
    `${rule}; this one went to dashscope (Beijing). Try qwen/qwen3.6-plus`,
  )
  assert.equal(await hintAt({ provider: "qwen", baseUrl: "http://proxy/v1" }), "gong login qwen replaces it.")
})
