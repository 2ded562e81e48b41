import assert from "node:assert/strict"
import { test } from "node:test"
import type { Model } from "@gong/spec"
import { llamaStandIn } from "@gong/testing/llama"
import { ollamaStandIn } from "@gong/testing/ollama"
import { startModelServer } from "@gong/testing/model-server"
import { serverFacts, unknownModel, withServerFacts } from "../../src/index.ts"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { createTransport } from "../../src/transport/transport.ts"
import { collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

type Answers = Readonly<Record<string, unknown>>

async function factsOf(answers: Answers | Parameters<typeof startModelServer>[0], more: Partial<Model> = {}) {
  const asked: string[] = []
  const routes = (method: string, path: string, body: unknown) => {
    asked.push(`${method} ${path}`)
    if (typeof answers?.["routes"] === "function") return answers["routes"](method, path, body)
    return path in (answers ?? {}) ? { status: 200, body: (answers as Answers)[path] } : { status: 404, body: {} }
  }
  const server = await startModelServer({ routes })
  const transport = createTransport()
  const query = { transport, credential: null, signal: AbortSignal.timeout(5000) }
  const facts = await serverFacts(modelOf({ id: "qwen", baseUrl: `${server.url}/v1`, ...more }), query)
  transport.close()
  await server.close()
  return { facts, asked }
}

const list = (...data: readonly object[]) => ({ object: "list", data })

test("llama.cpp tells window and template", async () => {
  const ask = async (options: Parameters<typeof llamaStandIn>[0]) => (await factsOf(llamaStandIn(options))).facts
  assert.deepEqual(await ask({ window: 8192 }), { contextWindow: 8192, tools: true })
  assert.deepEqual(await ask({ window: 8192, tells: false }), { contextWindow: null, tools: true })
  assert.deepEqual(await ask({ window: 4096, template: "{{ messages }}" }), { contextWindow: 4096, tools: false })
  const older = await factsOf({ "/v1/models": list({ id: "m.gguf", owned_by: "llamacpp", meta: { n_ctx: 2048 } }) })
  assert.deepEqual(older.facts, { contextWindow: 2048, tools: null })
  const caps = {
    "/v1/models": list({ id: "qwen", owned_by: "llamacpp" }),
    "/props": { chat_template: "tools", chat_template_caps: { supports_tools: false } },
  }
  assert.deepEqual((await factsOf(caps)).facts, { contextWindow: null, tools: false })
})

test("vLLM tells its window in its list", async () => {
  const models = list(
    { id: "a", owned_by: "vllm", max_model_len: 1 },
    { id: "qwen", owned_by: "vllm", max_model_len: 40_960 },
  )
  const { facts, asked } = await factsOf({ "/v1/models": models })
  assert.deepEqual([facts, asked], [{ contextWindow: 40_960, tools: null }, ["GET /v1/models"]])
})

test("LM Studio tells the loaded window and the abilities in its own list", async () => {
  const { facts } = await factsOf({
    "/v1/models": list({ id: "qwen", owned_by: "organization_owner" }, { id: "b", owned_by: "organization_owner" }),
    "/api/v0/models": list(
      { id: "b" },
      { id: "qwen", loaded_context_length: 4096, max_context_length: 32_768, capabilities: ["tool_use"] },
    ),
  })
  assert.deepEqual(facts, { contextWindow: 4096, tools: true })
})

test("Ollama at another base URL tells the window of a loaded model", async () => {
  const { routes } = ollamaStandIn([{ name: "qwen" }], 4096)
  routes("POST", "/api/generate", { model: "qwen" })
  const models = list({ id: "qwen:latest", owned_by: "library" }, { id: "b", owned_by: "library" })
  const { facts } = await factsOf({
    routes: (method, path, body) =>
      path === "/v1/models" ? { status: 200, body: models } : routes(method, path, body),
  })
  assert.deepEqual(facts, { contextWindow: 4096, tools: null })
})

test("of a server that tells nothing or is none, nothing is known, and it gets one request", async () => {
  for (const answers of [
    {},
    { "/v1/models": list({ id: "a" }, { id: "b" }) },
    { "/v1/models": list({ id: "qwen" }) },
    { "/v1/models": "<html>" },
  ]) {
    const { facts, asked } = await factsOf(answers)
    assert.deepEqual([facts, asked], [null, ["GET /v1/models"]])
  }
})

const refusal = (message: string, more: object = {}) =>
  JSON.stringify({ error: { message, type: "invalid_request_error", ...more } })

async function windowAfter(body: string, more: Partial<Model> = {}) {
  const transport = fakeTransport({ status: 400, body: [body] })
  const provider = openaiCompletions(modelOf(more), { transport, clock: manualClock(), credential: null })
  const { reply } = await collect(provider)
  return { window: provider.model.contextWindow, kind: reply.ok ? null : reply.failure.kind }
}

test("a refusal that names a smaller window sets it", async () => {
  const named: readonly (readonly [string, number])[] = [
    [refusal("request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it"), 8192],
    [refusal("the request exceeds the available context size. try increasing it", { n_ctx: 4096 }), 4096],
    [refusal("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"), 8192],
    [
      refusal(
        "The number of tokens to keep from the initial prompt is greater than the context length (n_ctx: 4096 >= n_keep: 5000)",
      ),
      4096,
    ],
    [refusal("Please reduce the length of the messages. current length is 9000 while limit is 8192"), 8192],
    [refusal("prompt is too long: 9000 tokens > 8192 maximum"), 8192],
    [refusal("maximum context length is 900000 tokens"), 100_000],
    [refusal("prompt is too long"), 100_000],
    [refusal("maximum context length is 3 messages"), 100_000],
  ]
  for (const [body, window] of named)
    assert.deepEqual(await windowAfter(body), { window, kind: "context-overflow" }, body)
  assert.equal((await windowAfter(refusal("unknown parameter: context size 4096"))).kind, "bad-request")
})

test("the window of a server replaces an assumed one, and a known one only if it is smaller; it is asked once", async () => {
  for (const [known, told, used] of [
    [unknownModel.contextWindow, 200_000, 200_000],
    [unknownModel.contextWindow, 8192, 8192],
    [32_768, 8192, 8192],
    [32_768, 65_536, 32_768],
    [32_768, null, 32_768],
  ] as const) {
    const stop = { choices: [{ delta: { content: "a" }, finish_reason: "stop" }] }
    const transport = fakeTransport({ body: [events(stop)] }, { body: [events(stop)] })
    const inner = openaiCompletions(modelOf({ contextWindow: known }), {
      transport,
      clock: manualClock(),
      credential: null,
    })
    let asked = 0
    const provider = withServerFacts(inner, async () => {
      asked += 1
      return { contextWindow: told, tools: null }
    })
    for (const _ of [1, 2]) assert.equal((await collect(provider)).reply.ok, true)
    assert.deepEqual([provider.model.contextWindow, asked, provider.model === provider.model], [used, 1, true])
  }
})
