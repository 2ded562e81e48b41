import assert from "node:assert/strict"
import { test } from "node:test"
import { isFamily, newestOf } from "../src/families.ts"
import { createRegistry, type Registry } from "../src/registry.ts"

/** A registry of these models, by provider. */
function registry(models: Readonly<Record<string, readonly string[]>>): Registry {
  const providers = Object.keys(models).map((id) => ({ id }))
  const modelsOf = async (id: string) => Object.fromEntries((models[id] ?? []).map((model) => [model, {}]))
  return { providers, modelsOf } as unknown as Registry
}

const any = () => true

test("a family is its newest model: by the numbers of the version, never a dated, small or special one", async () => {
  for (const [name, ids, newest] of [
    [
      "sonnet",
      ["claude-sonnet-4-5", "claude-sonnet-4-10", "claude-sonnet-4-5-20250929", "claude-opus-9"],
      "claude-sonnet-4-10",
    ],
    ["sonnet", ["anthropic/claude-sonnet-4.6", "anthropic/claude-sonnet-5"], "anthropic/claude-sonnet-5"],
    ["opus", ["claude-opus-4-8", "claude-opus-5"], "claude-opus-5"],
    ["gpt", ["gpt-5.9", "gpt-5.10", "gpt-6-mini", "gpt-6-pro", "gpt-4o"], "gpt-5.10"],
    ["gpt", ["gpt-6.1-terra", "gpt-6.1-sol", "gpt-6.1-pro"], "gpt-6.1-sol"],
    ["gpt-mini", ["gpt-5.4-mini", "gpt-5.5"], "gpt-5.4-mini"],
    [
      "gemini",
      ["gemini-3.1-pro-preview", "gemini-2.5-pro", "gemini-3.8-flash", "gemini-pro-latest"],
      "gemini-3.1-pro-preview",
    ],
    ["flash", ["gemini-3.8-flash", "gemini-3.5-flash-lite"], "gemini-3.8-flash"],
    ["kimi", ["kimi-k2.6", "kimi-k3.1-pro", "kimi-k3.1-pro-highspeed"], "kimi-k3.1-pro"],
  ] as const)
    assert.equal(await newestOf(name, registry({ one: ids }), any), `one/${newest}`, name)
})

test("the first provider with a key that lists one counts; a model of that very name comes first", async () => {
  const models = registry({ a: ["gpt-5"], b: ["claude-sonnet-4-5"], c: ["claude-sonnet-5", "sonnet"] })
  assert.equal(await newestOf("sonnet", models, any), "b/claude-sonnet-4-5")
  assert.equal(await newestOf("sonnet", models, ({ id }) => id === "c"), "c/sonnet")
  assert.equal(await newestOf("sonnet", models, ({ id }) => id === "a"), null)
})

test("every family has a model in the catalogue of its maker", async () => {
  const own = createRegistry()
  for (const [name, maker] of [
    ["sonnet", "anthropic"],
    ["opus", "anthropic"],
    ["haiku", "anthropic"],
    ["claude", "anthropic"],
    ["gpt", "openai"],
    ["gpt-mini", "openai"],
    ["gemini", "google"],
    ["flash", "google"],
    ["grok", "xai"],
    ["deepseek", "deepseek"],
    ["kimi", "moonshot"],
    ["qwen", "qwen"],
    ["glm", "zai"],
  ] as const) {
    assert.ok(isFamily(name))
    assert.ok((await newestOf(name, own, ({ id }) => id === maker))?.startsWith(`${maker}/`), name)
  }
  assert.equal(isFamily("toString"), false)
})

test("an id that only contains the id of a family, or goes on behind it, is another model", async () => {
  for (const [name, id] of [
    ["sonnet", "claude-sonnet-4-5"],
    ["opus", "claude-opus-4.8"],
    ["haiku", "claude-haiku-4"],
    ["claude", "claude-sonnet-5"],
    ["gpt", "gpt-5.4-sol"],
    ["gpt-mini", "gpt-5.4-mini"],
    ["gemini", "gemini-3.1-pro-preview"],
    ["flash", "gemini-3.8-flash"],
    ["grok", "grok-5.1"],
    ["deepseek", "deepseek-v4.2-pro"],
    ["kimi", "kimi-k3.1"],
    ["qwen", "qwen4-max"],
    ["glm", "glm-5.1"],
  ] as const) {
    assert.equal(await newestOf(name, registry({ one: [id] }), any), `one/${id}`)
    for (const other of [`x${id}`, `${id}:free`, `${id}-20250929`])
      assert.equal(await newestOf(name, registry({ one: [other] }), any), null, other)
  }
})

test("of one version the shortest id is the model, then the first by name", async () => {
  for (const ids of [
    ["gpt-5-terra", "gpt-5"],
    ["gpt-5", "gpt-5-terra"],
  ])
    assert.equal(await newestOf("gpt", registry({ one: ids }), any), "one/gpt-5")
  for (const ids of [
    ["gpt-5-ab", "gpt-5-aa"],
    ["gpt-5-aa", "gpt-5-ab"],
  ])
    assert.equal(await newestOf("gpt", registry({ one: ids }), any), "one/gpt-5-aa")
})
