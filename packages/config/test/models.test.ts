import assert from "node:assert/strict"
import { test } from "node:test"
import { resolveModel } from "@gong/llm"
import { type Api, costOf, noUsage } from "@gong/spec"
import { registryOf } from "@gong/app/compose/models/registry"
import { noRefreshedCatalogue } from "@gong/app/compose/models/catalogue"
import { readModels } from "../src/models/read.ts"
import { folder } from "@gong/testing/folder"

/** The registry of a models.json, or its one-line error. */
async function registry(t: Parameters<typeof folder>[0], text: string) {
  const home = folder(t, { "models.json": text })
  const file = await readModels(home)
  const made = file.ok ? registryOf(file.value, noRefreshedCatalogue) : file
  if (made.ok) return made.value
  assert.equal(made.error.lines.length, 1)
  return made.error.lines[0]?.replaceAll(`${home}/`, "")
}

const bad: Readonly<Record<string, readonly [string, string]>> = {
  "broken JSON": [
    '{"providers": {',
    "gong: models.json:1:16: close brace expected. Fix it there or move the file away.",
  ],
  "a list": ["[]", 'gong: models.json:1: models.json must be an object, {"providers": {...}}.'],
  "an unknown key": [
    '{\n  "providers": {\n    "lab": {\n      "baseUrl": "http://h/v1",\n      "baseURL": "x"\n    }\n  }\n}',
    'gong: models.json:5: there is no "providers.lab.baseURL" in models.json. Did you mean baseUrl?',
  ],
  "a wrong choice": [
    '{"providers": {"lab": {"baseUrl": "http://h", "api": "openai"}}}',
    'gong: models.json:1: "providers.lab.api" must be one of openai-completions, openai-responses, anthropic-messages, google-generative-ai.',
  ],
  "a wrong number": [
    '{"providers": {\n"lab": {"baseUrl": "http://h",\n"models": {"a/b": {\n"contextWindow": 0}}}}}',
    'gong: models.json:4: "providers.lab.models.a/b.contextWindow" must be >= 1.',
  ],
  "an address with a port that there is not": [
    '{"providers": {\n"lab": {"baseUrl": "http://127.0.0.1:99999/v1"}}}',
    'gong: models.json:2: "providers.lab.baseUrl": http://127.0.0.1:99999/v1 is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.',
  ],
  "an address with a blank": [
    '{"providers": {"lab": {"baseUrl": "http://my host/v1"}}}',
    'gong: models.json:1: "providers.lab.baseUrl": http://my host/v1 is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.',
  ],
  "an address that is open at its end": [
    '{"providers": {"openai": {"baseUrl": "http://[::1/v1"}}}',
    'gong: models.json:1: "providers.openai.baseUrl": http://[::1/v1 is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.',
  ],
  "an address without a host": [
    '{"providers": {"lab": {"baseUrl": "http://"}}}',
    'gong: models.json:1: "providers.lab.baseUrl": http:// is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.',
  ],
  "an address without a scheme": [
    '{"providers": {"lab": {"baseUrl": "127.0.0.1:8000/v1"}}}',
    'gong: models.json:1: "providers.lab.baseUrl": 127.0.0.1:8000/v1 is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.',
  ],
  "an address with a fragment": [
    '{"providers": {"lab": {"baseUrl": "http://h/v1#top"}}}',
    'gong: models.json:1: "providers.lab.baseUrl": http://h/v1#top has a fragment, which is never sent. Leave out #top.',
  ],
  "no base URL": [
    '{"providers": {"lab": {}}}',
    'gong: models.json: "lab" is no provider that Gong knows; give it a "baseUrl".',
  ],
  "a name with a slash": [
    '{"providers": {"a/b": {"baseUrl": "http://h"}}}',
    'gong: models.json: "a/b" cannot be the name of a provider.',
  ],
}

for (const [name, [text, line]] of Object.entries(bad)) {
  test(`models.json with ${name} is one line with its location`, async (t) => {
    assert.equal(await registry(t, text), line)
  })
}

test("models.json may have comments; the user's providers, deployments and prices override the built-in ones", async (t) => {
  const made = await registry(
    t,
    `{
      "$schema": "x", // for the editor
      "providers": {
        "lab": { "baseUrl": "http://h/v1/", "keys": ["LAB_KEY"], "models": { "m": { "contextWindow": 32768 } } },
        "azure": { "baseUrl": "https://shop.openai.azure.com/openai/v1", "models": { "gpt-5.1": { "deployment": "d" } } },
        "anthropic": { "models": { "claude-opus-5": { "price": { "input": 1, "output": 2 } } } },
        "custom": { "models": { "mine": { "price": { "input": 1, "output": 1 } } } },
        "openrouter": { "body": { "provider": { "only": ["a"] } }, "compat": { "cacheKey": true } },
      },
    }`,
  )
  assert.ok(typeof made === "object")
  assert.deepEqual(
    [made.find("lab")?.baseUrl, made.find("lab")?.keys, made.find("lab")?.api],
    ["http://h/v1", ["LAB_KEY"], "openai-completions"],
  )
  assert.equal((await made.modelsOf("lab"))["m"]?.contextWindow, 32_768)
  const azure = (await made.modelsOf("azure"))["gpt-5.1"]
  assert.deepEqual([azure?.wireId, azure?.contextWindow], ["d", 400_000])
  const opus = (await made.modelsOf("anthropic"))["claude-opus-5"]
  assert.deepEqual([opus?.price, opus?.contextWindow], [{ input: 1, output: 2 }, 1_000_000])
  const mine = await resolveModel({ provider: null, id: "mine", baseUrl: "http://h/v1" }, made)
  assert.deepEqual([made.find("custom"), mine.ok && mine.model.price], [undefined, { input: 1, output: 1 }])
  assert.deepEqual(made.find("openrouter")?.body, { provider: { only: ["a"] } })
  assert.equal(made.find("openrouter")?.compat?.thinkingSwitch, "reasoning")
})

test("the user's base URL applies to every wire format of its provider, so no key goes to the original address", async (t) => {
  const made = await registry(
    t,
    `{ "providers": {
      "openai": { "baseUrl": "http://h/v1" }, "azure": { "baseUrl": "http://h/v1/" },
      "deepseek": { "baseUrl": "http://h/x", "api": "anthropic-messages" }, "minimax": { "baseUrl": "http://h/y" },
      "moonshot": { "api": "anthropic-messages" }
    } }`,
  )
  assert.ok(typeof made === "object")
  const asked = async (provider: string, id: string, api?: Api) => {
    const resolved = await resolveModel({ provider, id, ...(api && { api }) }, made)
    assert.ok(resolved.ok, resolved.ok ? "" : resolved.failure.message)
    return [resolved.model.api, resolved.model.baseUrl]
  }
  assert.deepEqual(await asked("openai", "gpt-5.1"), ["openai-completions", "http://h/v1"])
  assert.deepEqual(await asked("openai", "gpt-5.1", "openai-responses"), ["openai-responses", "http://h/v1"])
  assert.deepEqual(await asked("azure", "gpt-5.1", "openai-responses"), ["openai-responses", "http://h/v1"])
  assert.deepEqual(await asked("deepseek", "deepseek-v4-pro"), ["anthropic-messages", "http://h/x"])
  const completions = "openai-completions"
  assert.deepEqual(await asked("deepseek", "deepseek-v4-pro", completions), [completions, "http://h/x"])
  assert.deepEqual(await asked("minimax", "MiniMax-M3", completions), [completions, "http://h/y"])
  // Another format without its own address uses the provider's default.
  assert.deepEqual(await asked("moonshot", "kimi-k2.6"), ["anthropic-messages", "https://api.moonshot.ai/anthropic"])
  assert.deepEqual(await asked("moonshot", "kimi-k2.6", completions), [completions, "https://api.moonshot.ai/v1"])
})

test("price tiers count by size, in any order", async (t) => {
  const made = await registry(
    t,
    `{ "providers": { "lab": { "baseUrl": "http://h/v1", "models": { "m": { "price": { "input": 1, "output": 1, "tiers": [
      { "above": 200, "input": 3, "output": 3 }, { "above": 100, "input": 2, "output": 2 }
    ] } } } } } }`,
  )
  assert.ok(typeof made === "object")
  const { price } = (await made.modelsOf("lab"))["m"] ?? {}
  const cost = (input: number) => costOf({ ...noUsage, input }, price)
  assert.deepEqual([cost(100), cost(150), cost(300)], [0.0001, 0.0003, 0.0009])
})

test("a missing models.json is no error", async (t) => {
  assert.deepEqual(await readModels(folder(t, {})), { ok: true, value: null })
})
