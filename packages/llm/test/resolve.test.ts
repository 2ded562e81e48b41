import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError, type Model } from "@gong/spec"
import { snapshotOf } from "../src/catalogue.ts"
import {
  createRegistry,
  findProvider,
  keyVariables,
  type ModelQuery,
  noOwnModels,
  openProvider,
  providers,
  recognizeKey,
  type Registry,
  resolveModel,
} from "../src/index.ts"
import { requestWith, collect, fakeTransport, manualClock } from "./helpers.ts"

async function model(request: ModelQuery, registry?: Registry): Promise<Model> {
  const resolved = await resolveModel(request, registry)
  assert.ok(resolved.ok, resolved.ok ? "" : resolved.failure.message)
  return resolved.model
}

async function refusal(request: ModelQuery, registry?: Registry): Promise<string> {
  const resolved = await resolveModel(request, registry)
  assert.ok(!resolved.ok)
  return resolved.failure.message
}

test("[PROVIDER-CAT.1] a known model has its provider, wire format, limits, inputs and price", async () => {
  const sonnet = await model({ provider: "anthropic", id: "claude-sonnet-4-5" })
  assert.deepEqual([sonnet.api, sonnet.baseUrl], ["anthropic-messages", "https://api.anthropic.com"])
  assert.deepEqual([sonnet.maxOutput, sonnet.reasoning, sonnet.images], [64_000, true, true])
  assert.ok(sonnet.contextWindow >= 200_000)
  assert.deepEqual(sonnet.price, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })
})

test("an id alone finds its provider", async () => {
  assert.equal((await model({ provider: null, id: "gpt-5.1" })).provider, "openai")
  assert.equal((await model({ provider: null, id: "claude-next-9" })).provider, "anthropic")
})

test("a model newer than the table gets the documented guess and no price", async () => {
  const next = await model({ provider: "anthropic", id: "claude-next-9" })
  assert.deepEqual([next.contextWindow, next.maxOutput, next.price], [128_000, 16_384, undefined])
  assert.equal((await model({ provider: "ollama", id: "qwen3-coder:30b" })).baseUrl, "http://127.0.0.1:11434/v1")
})

test("a typo is rejected with the most similar name; another version is accepted", async () => {
  assert.match(
    await refusal({ provider: "anthropic", id: "claude-sonet-4-5" }),
    /^unknown model "anthropic\/claude-sonet-4-5"\. Did you mean anthropic\/claude-sonnet-4-5/,
  )
  assert.match(
    await refusal({ provider: "antropic", id: "x" }),
    /^unknown provider "antropic" in antropic\/x\. Did you mean anthropic\?/,
  )
  assert.match(
    await refusal({ provider: "openai", id: "banana" }),
    /^unknown model "openai\/banana"\. For another endpoint: --base-url URL$/,
  )
  assert.match(await refusal({ provider: null, id: "any" }), /^unknown model "any"/)
  assert.equal((await model({ provider: "anthropic", id: "claude-sonnet-4-9" })).id, "claude-sonnet-4-9")
})

test("suggestions are at most three letters away, or a third of the input; two at most, the most similar first", async () => {
  const offered = async (id: string, ...listed: readonly string[]) => {
    const row = { id: "h", name: "H", api: "openai-completions", baseUrl: "http://h/v1", keys: [] } as const
    const own = { ...row, defaultModel: null, family: /^never$/ }
    const models = { h: Object.fromEntries(listed.map((name) => [name, {}])) }
    const printed = await refusal({ provider: "h", id }, createRegistry({ ...noOwnModels, providers: [own], models }))
    return /Did you mean (.*)\? For/.exec(printed)?.[1]
  }
  assert.equal(await offered("abcde", "abcdexyz"), "h/abcdexyz")
  assert.equal(await offered("abcde", "abcdewxyz"), undefined)
  const long = "a".repeat(13)
  assert.equal(await offered(long, `${long}bcdef`), `h/${long}bcdef`)
  assert.equal(await offered(long, `${long}bcdefg`), undefined)
  assert.equal(await offered("abcde", "abcdexy", "abcdexyz", "abcdef"), "h/abcdef or h/abcdexy")
})

test("an unlisted name up to two letters from a listed one, digits aside, is a typo; otherwise it is a newer model", async () => {
  const verdict = async (id: string) => (await resolveModel({ provider: "anthropic", id })).ok
  for (const slip of ["claude-sonnt-4-5", "claude-sonnnet-4-5", "claude-sonnxy-4-5"])
    assert.equal(await verdict(slip), false)
  for (const next of ["claude-sonnet-7-7", "claude-sonwxy-4-5", "claude-sonnet-abc-5"])
    assert.equal(await verdict(next), true)
})

test("with a base URL any id is accepted, for provider `custom`", async () => {
  const any = await model({ provider: null, id: "any", baseUrl: "http://127.0.0.1:8080/v1/" })
  assert.deepEqual(
    [any.provider, any.id, any.api, any.baseUrl],
    ["custom", "any", "openai-completions", "http://127.0.0.1:8080/v1"],
  )
  assert.equal((await model({ provider: "meta", id: "llama-4", baseUrl: "http://h/v1" })).id, "meta/llama-4")
  const proxied = await model({ provider: "anthropic", id: "claude-sonnet-4-5", baseUrl: "http://h" })
  assert.deepEqual([proxied.provider, proxied.api, proxied.contextWindow], ["custom", "anthropic-messages", 200_000])
  assert.equal(
    (await model({ provider: null, id: "any", baseUrl: "http://h", api: "anthropic-messages" })).api,
    "anthropic-messages",
  )
  assert.match(
    await refusal({ provider: null, id: "any", baseUrl: "localhost:8080" }),
    /^localhost:8080 is no base URL/,
  )
})

test("the provider's own variable overrides its base URL; an address with a placeholder must be completed", async () => {
  const env = { ANTHROPIC_BASE_URL: "http://proxy/", OPENAI_BASE_URL: "" }
  assert.equal((await model({ provider: "anthropic", id: "claude-sonnet-4-5", env })).baseUrl, "http://proxy")
  assert.equal((await model({ provider: "openai", id: "gpt-5.1", env })).baseUrl, "https://api.openai.com/v1")
  assert.equal(
    await refusal({ provider: "azure", id: "x" }),
    'Azure OpenAI (by deployment) has no usable base URL (https://RESOURCE.openai.azure.com/openai/v1). Give one: AZURE_OPENAI_BASE_URL=..., or "baseUrl" of "azure" in models.json',
  )
})

test("an invalid address is rejected with the name of its variable", async () => {
  const write = "is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1."
  for (const address of ["garbage", "http://127.0.0.1:99999/v1", "http://my host/v1", "http://[::1/v1", "http://"]) {
    const openai = { provider: "openai", id: "gpt-5.1", env: { OPENAI_BASE_URL: address } } as const
    assert.equal(await refusal(openai), `OPENAI_BASE_URL: ${address} ${write}`)
    assert.equal(await refusal({ ...openai, api: "openai-responses" }), `OPENAI_BASE_URL: ${address} ${write}`)
    assert.equal(await refusal({ provider: null, id: "any", baseUrl: address }), `${address} ${write}`)
  }
  assert.equal(
    await refusal({ provider: null, id: "any", baseUrl: "http://h/v1#a?b" }),
    "http://h/v1#a?b has a fragment, which is never sent. Leave out #a?b.",
  )
  const host = { provider: "ollama", id: "x", env: { OLLAMA_HOST: "my host" } } as const
  assert.equal(await refusal(host), "OLLAMA_HOST: my host is no host. Write HOST:PORT or http://HOST:PORT.")
})

test("OLLAMA_HOST is parsed as by Ollama: a port alone is on this machine", async () => {
  const at = async (OLLAMA_HOST: string) => (await model({ provider: "ollama", id: "x", env: { OLLAMA_HOST } })).baseUrl
  assert.equal(await at(":11999"), "http://127.0.0.1:11999/v1")
  assert.equal(await at("http://:11999"), "http://127.0.0.1:11999/v1")
  assert.equal(await at("0.0.0.0"), "http://127.0.0.1:11434/v1")
  assert.equal(await at("gpu-box:80"), "http://gpu-box:80/v1")
  assert.equal(await at("https://gpu-box"), "https://gpu-box:443/v1")
  assert.equal(await at(""), "http://127.0.0.1:11434/v1")
})

test("a provider works in each of its wire formats, and in no other", async () => {
  const responses = await model({ provider: "openai", id: "gpt-5.1", api: "openai-responses" })
  assert.deepEqual([responses.api, responses.baseUrl], ["openai-responses", "https://api.openai.com/v1"])
  const claude = await model({ provider: "deepseek", id: "deepseek-v4-pro", api: "anthropic-messages" })
  assert.equal(claude.baseUrl, "https://api.deepseek.com/anthropic")
  assert.equal(
    await refusal({ provider: "groq", id: "x", api: "anthropic-messages" }),
    "Groq does not speak anthropic-messages. It speaks openai-completions.",
  )
})

test("providers are in order of precedence, then by name; each default is in the catalogue", async () => {
  const first = ["anthropic", "openai", "google", "openrouter", "deepseek", "moonshot", "zai", "qwen", "xai", "groq"]
  const ids = providers.map((row) => row.id)
  assert.deepEqual(ids.slice(0, 11), [...first, "mistral"])
  assert.deepEqual(ids.slice(11), ids.slice(11).toSorted())
  assert.equal(new Set(ids).size, ids.length)
  for (const row of providers) {
    if (row.defaultModel === null) assert.ok(row.local ?? row.id === "azure", row.id)
    else assert.ok((await snapshotOf(row.id))[row.defaultModel], row.id)
    if (row.region) assert.equal(findProvider(row.region.other)?.region?.other, row.id)
  }
  assert.deepEqual(keyVariables()["anthropic"], ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
})

test("the catalogue is consistent: limits that fit, numeric prices, rising tiers", async () => {
  let models = 0
  for (const { id, currency } of providers) {
    for (const [name, { contextWindow, maxOutput, price }] of Object.entries(await snapshotOf(id))) {
      models++
      const at = `${id}/${name}`
      assert.ok(contextWindow >= 4096 && maxOutput > 0 && maxOutput <= contextWindow, at)
      if (!price) continue
      assert.equal(price.yuanPerDollar !== undefined, currency === "CNY", at)
      const sizes = (price.tiers ?? []).map(({ above }) => above)
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => a - b),
        at,
      )
      for (const rates of [price, ...(price.tiers ?? [])]) {
        assert.ok(rates.input >= 0 && rates.output >= rates.input / 2 && rates.output < 1000, at)
      }
    }
  }
  assert.ok(models > 500, `${models} models`)
})

test("the user's settings override the catalogue; the user's providers come last", async () => {
  const own = {
    id: "lab",
    name: "lab",
    api: "openai-completions",
    baseUrl: "http://lab/v1",
    keys: [],
    defaultModel: null,
  } as const
  const registry = createRegistry({
    ...noOwnModels,
    providers: [own],
    models: {
      lab: { big: { contextWindow: 32_768, wireId: "dep-7" } },
      anthropic: { "claude-opus-5": { maxOutput: 1000 } },
    },
  })
  assert.equal(registry.providers.at(-1)?.id, "lab")
  const big = await model({ provider: "lab", id: "big" }, registry)
  assert.deepEqual(
    [big.baseUrl, big.contextWindow, big.maxOutput, big.wireId],
    ["http://lab/v1", 32_768, 16_384, "dep-7"],
  )
  const opus = await model({ provider: "anthropic", id: "claude-opus-5" }, registry)
  assert.deepEqual([opus.maxOutput, opus.price?.input], [1000, 5])
  assert.equal((await model({ provider: null, id: "big" }, registry)).provider, "lab")
})

test("a key is recognized by its prefix", () => {
  assert.equal(recognizeKey("sk-ant-api03-x")?.id, "anthropic")
  assert.equal(recognizeKey("sk-or-v1-x")?.id, "openrouter")
  assert.equal(recognizeKey("gsk_x")?.id, "groq")
  assert.equal(recognizeKey("sk-x"), undefined)
})

test("[PROVIDER-REG.2] an unknown wire format is reported; the others open", async () => {
  const transport = fakeTransport({ body: [] })
  const ports = { transport, clock: manualClock(), credential: { key: "t", from: "ANTHROPIC_AUTH_TOKEN" } }
  const scripted = { ...(await model({ provider: "openai", id: "gpt-5.1" })), api: "scripted" } as const
  await assert.rejects(openProvider(scripted, ports), (error: unknown) => {
    assert.ok(error instanceof FailureError)
    assert.equal(error.failure.message, "openai speaks scripted, which is no wire format")
    return true
  })
  const anthropic = await openProvider(await model({ provider: "anthropic", id: "claude-sonnet-4-5" }), ports)
  await collect(anthropic, requestWith())
  assert.equal(transport.requests[0]?.headers["authorization"], "Bearer t")
})

test("a model has the headers and the body of its provider; at another base URL no headers", async () => {
  const row = { id: "h", name: "H", api: "openai-completions", baseUrl: "http://h/v1", keys: [] } as const
  const own = { ...row, defaultModel: null, headers: { "x-a": "1" }, body: { a: 1, b: 1 } }
  const facts = { h: { m: { body: { b: 2 } } } }
  const registry = createRegistry({ ...noOwnModels, providers: [own], models: facts })
  const there = await model({ provider: "h", id: "m" }, registry)
  assert.deepEqual([there.headers, there.body], [{ "x-a": "1" }, { a: 1, b: 2 }])
  const elsewhere = await model({ provider: "h", id: "m", baseUrl: "http://x/v1" }, registry)
  assert.deepEqual([elsewhere.provider, elsewhere.headers, elsewhere.body], ["custom", undefined, { a: 1, b: 2 }])
  const plain = await model({ provider: "ollama", id: "m" }, registry)
  assert.deepEqual(["headers" in plain, "body" in plain], [false, false])
})

test("at a base URL the user's own facts of the custom provider count, and the wire format is the default one", async () => {
  const row = { id: "house", name: "House", api: "extension", baseUrl: "extension:house", keys: [] } as const
  const registry = createRegistry({
    ...noOwnModels,
    providers: [{ ...row, defaultModel: null }],
    models: { custom: { "meta/big": { contextWindow: 5 } } },
  })
  const at = async (provider: string | null, id: string) => {
    const { id: name, api, contextWindow } = await model({ provider, id, baseUrl: "http://h/v1" }, registry)
    return [name, api, contextWindow]
  }
  assert.deepEqual(await at("meta", "big"), ["meta/big", "openai-completions", 5])
  assert.deepEqual(await at(null, "meta/big"), ["meta/big", "openai-completions", 5])
  assert.deepEqual(await at("house", "big"), ["big", "openai-completions", 128_000])
  assert.deepEqual((await at("anthropic", "claude-next-9")).slice(0, 2), ["claude-next-9", "anthropic-messages"])
})
