import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import {
  findProvider,
  keyVariables,
  knownModels,
  lookUp,
  type ModelRequest,
  openProvider,
  providers,
  recognizeKey,
  resolveModel,
} from "../src/index.ts"
import { askOf, collect, fakeTransport, manualClock } from "./helpers.ts"

function model(request: ModelRequest) {
  const found = resolveModel(request)
  assert.ok(found.ok, found.ok ? "" : found.failure.message)
  return found.model
}

function refusal(request: ModelRequest): string {
  const found = resolveModel(request)
  assert.ok(!found.ok)
  assert.ok(!found.failure.message.includes("\n"))
  return found.failure.message
}

test("[PROVIDER-CAT.1] a known model brings its provider, api, window, sight and price", () => {
  const sonnet = model({ provider: "anthropic", id: "claude-sonnet-4-5" })
  assert.equal(sonnet.api, "anthropic-messages")
  assert.equal(sonnet.baseUrl, "https://api.anthropic.com")
  assert.deepEqual(
    [sonnet.contextWindow, sonnet.maxOutput, sonnet.images, sonnet.reasoning],
    [200_000, 64_000, true, true],
  )
  assert.deepEqual(sonnet.price, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })
})

test("an id alone finds its provider", () => {
  assert.equal(model({ provider: null, id: "gpt-5.1" }).provider, "openai")
  assert.equal(model({ provider: null, id: "claude-next-9" }).provider, "anthropic")
})

test("a model newer than the table gets the stated guess and no price", () => {
  const next = model({ provider: "anthropic", id: "claude-next-9" })
  assert.deepEqual([next.contextWindow, next.maxOutput, next.price], [128_000, 16_384, undefined])
  assert.equal(model({ provider: "ollama", id: "qwen3-coder:30b" }).baseUrl, "http://127.0.0.1:11434/v1")
})

test("a slip in the name is refused and the nearest named; another version is none", () => {
  assert.match(
    refusal({ provider: "anthropic", id: "claude-sonet-4-5" }),
    /^unknown model "anthropic\/claude-sonet-4-5"\. Did you mean anthropic\/claude-sonnet-4-5/,
  )
  assert.match(
    refusal({ provider: "antropic", id: "x" }),
    /^unknown provider "antropic" in antropic\/x\. Did you mean anthropic\?/,
  )
  assert.match(
    refusal({ provider: "openai", id: "banana" }),
    /^unknown model "openai\/banana"\. For another endpoint: --base-url URL$/,
  )
  assert.match(refusal({ provider: null, id: "any" }), /^unknown model "any"/)
  assert.equal(model({ provider: "anthropic", id: "claude-sonnet-4-9" }).id, "claude-sonnet-4-9")
})

test("with a base URL any id goes, to provider `custom`", () => {
  const any = model({ provider: null, id: "any", baseUrl: "http://127.0.0.1:8080/v1/" })
  assert.deepEqual(
    [any.provider, any.id, any.api, any.baseUrl],
    ["custom", "any", "openai-completions", "http://127.0.0.1:8080/v1"],
  )
  assert.equal(model({ provider: "meta", id: "llama-4", baseUrl: "http://h/v1" }).id, "meta/llama-4")
  const proxied = model({ provider: "anthropic", id: "claude-sonnet-4-5", baseUrl: "http://h" })
  assert.deepEqual([proxied.provider, proxied.api, proxied.contextWindow], ["custom", "anthropic-messages", 200_000])
  assert.equal(
    model({ provider: null, id: "any", baseUrl: "http://h", api: "anthropic-messages" }).api,
    "anthropic-messages",
  )
  assert.match(refusal({ provider: null, id: "any", baseUrl: "localhost:8080" }), /^localhost:8080 is no base URL/)
})

test("the provider's own base URL variable moves it", () => {
  const baseUrls = { anthropic: "http://proxy/", openai: undefined }
  assert.equal(model({ provider: "anthropic", id: "claude-sonnet-4-5", baseUrls }).baseUrl, "http://proxy")
  assert.equal(model({ provider: "openai", id: "gpt-5.1", baseUrls }).baseUrl, "https://api.openai.com/v1")
})

test("providers stand in the order of choice; each default is in the table", () => {
  assert.deepEqual(
    providers.map((row) => row.id),
    [
      "anthropic",
      "openai",
      "google",
      "openrouter",
      "deepseek",
      "moonshot",
      "zai",
      "qwen",
      "xai",
      "groq",
      "mistral",
      "ollama",
    ],
  )
  for (const row of providers) if (row.defaultModel) assert.ok(lookUp(row.id, row.defaultModel), row.id)
  for (const name of knownModels()) assert.ok(findProvider(name.slice(0, name.indexOf("/"))), name)
  assert.deepEqual(keyVariables()["anthropic"], ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
})

test("a key is known by its beginning", () => {
  assert.equal(recognizeKey("sk-ant-api03-x")?.id, "anthropic")
  assert.equal(recognizeKey("sk-or-v1-x")?.id, "openrouter")
  assert.equal(recognizeKey("gsk_x")?.id, "groq")
  assert.equal(recognizeKey("sk-x"), undefined)
})

test("[PROVIDER-REG.2] a format that is not built yet says so; the built ones open", async () => {
  const transport = fakeTransport({ body: [] })
  const ports = { transport, clock: manualClock(), credential: { key: "t", from: "ANTHROPIC_AUTH_TOKEN" } }
  const gemini = model({ provider: "google", id: "gemini-2.5-pro" })
  await assert.rejects(openProvider(gemini, ports), (error: unknown) => {
    assert.ok(error instanceof FailureError)
    assert.equal(
      error.failure.message,
      "google speaks google-generative-ai, which this version of Gong does not speak yet",
    )
    return true
  })
  const anthropic = await openProvider(model({ provider: "anthropic", id: "claude-sonnet-4-5" }), ports)
  await collect(anthropic, askOf())
  assert.equal(transport.requests[0]?.headers["authorization"], "Bearer t")
})
