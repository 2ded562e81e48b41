import assert from "node:assert/strict"
import { test } from "node:test"
import type { Model, Transport, TransportRequest } from "@gong/spec"
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
    [refusal("prompt is too long", { n_ctx: 0 }), 100_000],
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

test("only a whole number above 0 is a window", async () => {
  for (const [told, contextWindow] of [
    [1, 1],
    [0, null],
    [-1, null],
    [1.5, null],
    ["4096", null],
    [null, null],
  ] as const) {
    const models = list({ id: "qwen", owned_by: "vllm", max_model_len: told })
    const facts = contextWindow === null ? null : { contextWindow, tools: null }
    assert.deepEqual((await factsOf({ "/v1/models": models })).facts, facts, JSON.stringify(told))
    const props = { "/v1/models": list({ id: "qwen", owned_by: "llamacpp" }), "/props": { n_ctx: told } }
    assert.deepEqual((await factsOf(props)).facts, { contextWindow, tools: null }, JSON.stringify(told))
  }
})

test("llama.cpp: the window of a slot counts before that of the server, and that before the listed one", async () => {
  const models = list({ id: "qwen", owned_by: "LlamaCpp", meta: { n_ctx: 3 } })
  const window = async (props: unknown) =>
    (await factsOf({ "/v1/models": models, "/props": props })).facts?.contextWindow
  assert.equal(await window({ default_generation_settings: { n_ctx: 1 }, n_ctx: 2 }), 1)
  assert.equal(await window({ default_generation_settings: {}, n_ctx: 2 }), 2)
  assert.equal(await window({ default_generation_settings: 5 }), 3)
  assert.equal(await window([]), 3)
})

test("llama.cpp: a template has tools if it names them as a word, or if there is one for tools", async () => {
  const tools = async (props: object) =>
    (await factsOf({ "/v1/models": list({ id: "qwen", owned_by: "llamacpp" }), "/props": props })).facts?.tools
  for (const [props, known] of [
    [{ chat_template: "{{ tool }}" }, true],
    [{ chat_template: "{{ toolsmith }}" }, false],
    [{ chat_template: "", chat_template_tool_use: "x" }, true],
    [{ chat_template: 5, chat_template_tool_use: "x" }, null],
    [{ chat_template: "", chat_template_caps: { supports_tools: true } }, true],
    [{ chat_template: "tools", chat_template_caps: { supports_tools: "no" } }, true],
    [{ chat_template: "tools", chat_template_caps: 5 }, true],
  ] as const)
    assert.equal(await tools(props), known, JSON.stringify(props))
})

test("a model is found by its wire id, and a list of one model is that model", async () => {
  const models = list({ id: "wire", max_model_len: 1 }, { id: "qwen", max_model_len: 2 }, { id: 5 })
  const named = async (more: Partial<Model>) => (await factsOf({ "/v1/models": models }, more)).facts?.contextWindow
  assert.equal(await named({ wireId: "wire" }), 1)
  assert.equal(await named({}), 2)
  assert.equal(await named({ wireId: "other" }), undefined)
  const one = { "/v1/models": { data: [null, { id: "other", max_model_len: 4 }] } }
  assert.equal((await factsOf(one)).facts?.contextWindow, 4)
  assert.equal((await factsOf({ "/v1/models": { data: "qwen" } })).facts, null)
})

test("LM Studio: unknown abilities are not known, and others are none", async () => {
  const first = list({ id: "qwen", owned_by: "organization_owner" })
  const told = async (more: object) =>
    (await factsOf({ "/v1/models": first, "/api/v0/models": list({ id: "qwen", ...more }) })).facts
  assert.deepEqual(await told({}), { contextWindow: null, tools: null })
  assert.deepEqual(await told({ capabilities: ["vision"] }), { contextWindow: null, tools: false })
  assert.equal((await factsOf({ "/v1/models": first })).facts, null)
})

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

test("the key of the provider is sent to the server, if there is one", async () => {
  for (const [credential, authorization] of [
    [{ key: "k", from: "auth.json" }, "Bearer k"],
    [null, undefined],
  ] as const) {
    const sent: TransportRequest[] = []
    const transport: Transport = {
      async send(request) {
        sent.push(request)
        return { status: 200, headers: {}, body: pieces(JSON.stringify(list({ id: "qwen", max_model_len: 7 }))) }
      },
    }
    const query = { transport, credential, signal: new AbortController().signal }
    const facts = await serverFacts(modelOf({ id: "qwen", baseUrl: "http://a.example/v1?q=1" }), query)
    assert.deepEqual(facts, { contextWindow: 7, tools: null })
    assert.deepEqual(
      sent.map(({ url, headers }) => [url, headers["authorization"]]),
      [["http://a.example/v1/models?q=1", authorization]],
    )
  }
})
