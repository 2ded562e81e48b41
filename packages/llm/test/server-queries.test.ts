import assert from "node:assert/strict"
import { test } from "node:test"
import { inEnglish } from "@gong/testing/in-english"
import type { Transport, TransportRequest } from "@gong/spec"
import { type ProviderRow } from "../src/index.ts"
import { localServers } from "../src/local.ts"
import { checkKey } from "../src/check-key.ts"
import { fetchJson, isSame, listOllama, ollamaWindow } from "../src/ollama.ts"

type Answer = string | object | { readonly status: number; readonly text: string }

/** Answers by path; a text is sent unchanged, anything else as JSON with 200. */
function answering(answers: Readonly<Record<string, Answer>>) {
  const asked: TransportRequest[] = []
  const transport: Transport = {
    async send(request) {
      asked.push(request)
      const answer = answers[request.url.replace("http://a:1", "")]
      if (answer === undefined) throw new Error("ECONNREFUSED")
      const { status = 200, text } =
        typeof answer === "string" ? { text: answer } : "text" in answer ? answer : { text: JSON.stringify(answer) }
      async function* body() {
        yield Buffer.from(text)
      }
      return { status, headers: {}, body: body() }
    },
  }
  return { transport, asked, origin: "http://a:1", signal: new AbortController().signal }
}

const local: ProviderRow = {
  id: "own",
  name: "Own",
  api: "openai-completions",
  baseUrl: "http://a:1/v1?k=1",
  keys: [],
  defaultModel: null,
  local: "openai",
}

async function listed(answer: Answer, row = local) {
  const { transport, signal } = answering({ "/v1/models?k=1": answer })
  return localServers([row], { transport, env: {}, signal, details: signal })
}

test("a local server's named models are listed, at most fifty, with their window if reported", async () => {
  const data = [null, {}, { id: 1 }, { id: "a", max_model_len: 4096 }, { id: "b", max_model_len: "4096" }]
  const model = { tools: null, bytes: null }
  assert.deepEqual(await listed({ data }), [
    {
      row: local,
      host: "a:1",
      models: [
        { name: "a", contextWindow: 4096, ...model },
        { name: "b", contextWindow: null, ...model },
      ],
    },
  ])
  const many = Array.from({ length: 60 }, (_, at) => ({ id: `m${at}` }))
  assert.equal((await listed({ data: many }))[0]?.models.length, 50)
  for (const none of [{ data: [] }, { data: "a" }, [], "<html>", { status: 500, text: '{"data":[{"id":"a"}]}' }])
    assert.deepEqual(await listed(none), [], JSON.stringify(none))
})

test("a server on another machine, or with an invalid address, is not queried", async () => {
  const { transport, asked, signal } = answering({})
  const rows = [{ ...local, local: undefined }, local].map(({ local: kind, ...row }) => ({
    ...row,
    ...(kind && { local: kind }),
  }))
  const moved = rows.map((row) => ({ ...row, hostKey: "OWN_HOST" }))
  assert.deepEqual(await localServers(moved, { transport, env: { OWN_HOST: "no host" }, signal, details: signal }), [])
  assert.deepEqual(asked, [])
})

test("Ollama's facts of each model are taken, and missing ones are unknown", async () => {
  const shown = { "general.architecture": "q", "q.context_length": 8192 }
  const models = [{ name: "a", size: 1 }, { name: "" }, { name: 1 }, null]
  const { asked, ...ports } = answering({
    "/api/tags": { models },
    "/api/show": { capabilities: ["tools", "vision", "thinking"], model_info: shown },
  })
  const known = { name: "a", bytes: 1, tools: true, images: true, reasoning: true, contextWindow: 8192 }
  const details = AbortSignal.abort()
  assert.deepEqual(await listOllama({ ...ports, details }), [known])
  const [tags, show] = asked
  assert.deepEqual([tags?.method, tags?.headers, tags?.body], ["GET", {}, []])
  assert.deepEqual([show?.method, show?.headers], ["POST", { "content-type": "application/json" }])
  assert.equal(Buffer.concat(show?.body ?? []).toString(), '{"model":"a"}')
  assert.deepEqual([tags?.signal, show?.signal], [ports.signal, details])
  const unknown = { name: "a", bytes: null, tools: null, images: false, reasoning: false, contextWindow: null }
  const shows: readonly Answer[] = ["no", { capabilities: "tools" }, { model_info: 1 }, { model_info: {} }]
  for (const show of shows)
    assert.deepEqual(
      await listOllama(answering({ "/api/tags": { models: [{ name: "a", size: 0 }] }, "/api/show": show })),
      [unknown],
    )
  const plain = { capabilities: ["completion"], model_info: { ...shown, "q.context_length": "8192" } }
  const [one] = (await listOllama(answering({ "/api/tags": { models }, "/api/show": plain }))) ?? []
  assert.deepEqual([one?.tools, one?.contextWindow], [false, null])
  const many = Array.from({ length: 60 }, (_, at) => ({ name: `m${at}` }))
  assert.equal((await listOllama(answering({ "/api/tags": { models: many } })))?.length, 50)
  for (const none of ["no", { models: "a" }, []]) assert.equal(await listOllama(answering({ "/api/tags": none })), null)
})

test("a model is loaded only if necessary, by a request without a prompt; the name without a tag is the latest", async () => {
  const { asked, ...ports } = answering({
    "/api/ps": { models: [1, { name: "b", context_length: 5 }] },
    "/api/generate": {},
  })
  let loads = 0
  assert.equal(await ollamaWindow(ports, "a", () => loads++), null)
  assert.equal(Buffer.concat(asked[1]?.body ?? []).toString(), '{"model":"a","stream":false}')
  assert.equal(await ollamaWindow(ports, "b", () => loads++), 5)
  assert.equal(loads, 1)
  assert.equal(await ollamaWindow(answering({}), "a", () => loads++), null)
  assert.deepEqual(
    [isSame("a", "a"), isSame("a:latest", "a"), isSame("a", "a:latest"), isSame("a:7b", "a")],
    [true, true, false, false],
  )
})

test("a response is read up to four megabytes, and only with 200", async () => {
  const json = (length: number) => `"${"x".repeat(length - 2)}"`
  const limit = 4 * 1024 * 1024
  assert.equal(typeof (await fetchJson(answering({ "/a": json(limit) }), "/a")), "string")
  assert.equal(await fetchJson(answering({ "/a": json(limit + 1) }), "/a"), null)
  assert.equal(await fetchJson(answering({ "/a": { status: 201, text: "{}" } }), "/a"), null)
  assert.equal(await fetchJson(answering({ "/a": "{" }), "/a"), null)
})

test("a refused key, by status and message", async () => {
  const printed = (text: string) => JSON.stringify({ error: { message: text } })
  const rows: readonly (readonly [status: number, text: string, verdict: string, why: string])[] = [
    [401, "", "refused", "401"],
    [403, "{}", "refused", "403"],
    [402, printed("pay"), "unknown", "it answered 402 pay"],
    [400, printed("bad api_key"), "refused", "400 bad api_key"],
    [400, printed("bad"), "unknown", "it answered 400 bad"],
    [401, printed("API key"), "refused", "401 API key"],
    [404, printed("no API key"), "unknown", "it answered 404 no API key"],
    [201, "{}", "unknown", "it answered 201"],
    [200, "[]", "unknown", "it answered 200"],
    [401, '{"error":"a\\n  b "}', "refused", "401 a b"],
    [401, '{"error":{"error":"c"}}', "refused", "401 c"],
    [401, '{"error":{"detail":"d"}}', "refused", "401 d"],
    [401, '{"error":{"message":1}}', "refused", "401"],
    [401, printed("x".repeat(300)), "refused", `401 ${"x".repeat(200)}`],
  ]
  for (const [status, text, verdict, why] of rows) {
    const { transport, signal } = answering({ "/models": { status, text } })
    const row = { api: "openai-completions", baseUrl: "http://a:1" } as const
    assert.deepEqual(
      inEnglish(await checkKey(row, "k-0123456789", transport, signal)),
      { verdict, why },
      `${status} ${text}`,
    )
  }
})

test("where a key is checked: the provider's own endpoint, or its list of models, or nowhere", async () => {
  const { asked, transport, signal } = answering({})
  const check = (row: Partial<ProviderRow>) =>
    checkKey({ api: "openai-completions", baseUrl: "http://a:1", ...row }, "k", transport, signal)
  const nothing = { verdict: "unknown", why: "nothing it answers for free tells" }
  assert.deepEqual(inEnglish(await check({ keyCheck: null })), nothing)
  assert.deepEqual(inEnglish(await check({ modelsPath: null })), nothing)
  await check({ keyCheck: "/key", modelsPath: "/list" })
  await check({ modelsPath: "/list" })
  await check({ modelsPath: null, keyCheck: "/key" })
  await check({ api: "anthropic-messages" })
  await check({ api: "google-generative-ai" })
  await check({})
  const paths = ["/key", "/list", "/key", "/v1/models", "/models", "/models"]
  assert.deepEqual(
    asked.map(({ url }) => url.replace("http://a:1", "")),
    paths,
  )
  assert.deepEqual(
    asked.slice(3).map(({ headers }) => headers),
    [{ "x-api-key": "k", "anthropic-version": "2023-06-01" }, { "x-goog-api-key": "k" }, { authorization: "Bearer k" }],
  )
})
