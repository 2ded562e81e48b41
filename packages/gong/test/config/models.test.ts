import assert from "node:assert/strict"
import { test } from "node:test"
import { resolveModel } from "@gong/llm"
import { registryOf } from "../../src/build/registry.ts"
import { noneNewer } from "../../src/build/catalogue.ts"
import { readModels } from "../../src/config/models/read.ts"
import { folder } from "./folder.ts"

/** The registry that a models.json makes, or the one line that is wrong with it. */
async function registry(t: Parameters<typeof folder>[0], text: string) {
  const home = folder(t, { "models.json": text })
  const file = await readModels(home)
  const made = file.ok ? registryOf(file.value, noneNewer) : file
  if (made.ok) return made.value
  assert.equal(made.error.lines.length, 1)
  return made.error.lines[0]?.replaceAll(`${home}/`, "")
}

const bad: Readonly<Record<string, readonly [string, string]>> = {
  "broken JSON": [
    '{"providers": {',
    "gong: models.json:1:16: close brace expected. Fix it there or move the file away.",
  ],
  "a list": ["[]", 'gong: models.json:1: models.json is an object, {"providers": {...}}.'],
  "an unknown key": [
    '{\n  "providers": {\n    "lab": {\n      "baseUrl": "http://h/v1",\n      "baseURL": "x"\n    }\n  }\n}',
    'gong: models.json:5: there is no "providers.lab.baseURL" in models.json. Did you mean baseUrl?',
  ],
  "a wrong choice": [
    '{"providers": {"lab": {"baseUrl": "http://h", "api": "openai"}}}',
    'gong: models.json:1: "providers.lab.api" must be equal to one of the allowed values. It is one of openai-completions, openai-responses, anthropic-messages, google-generative-ai.',
  ],
  "a wrong number": [
    '{"providers": {\n"lab": {"baseUrl": "http://h",\n"models": {"a/b": {\n"contextWindow": 0}}}}}',
    'gong: models.json:4: "providers.lab.models.a/b.contextWindow" must be >= 1.',
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
  test(`models.json with ${name} is one line with its place`, async (t) => {
    assert.equal(await registry(t, text), line)
  })
}

test("models.json may have comments; providers, deployments and prices of one's own stand above what Gong knows", async (t) => {
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

test("without a models.json there is nothing to say", async (t) => {
  assert.deepEqual(await readModels(folder(t, {})), { ok: true, value: null })
})
