import assert from "node:assert/strict"
import { test } from "node:test"
import { atBaseUrl, tidyBaseUrl } from "../src/base-url.ts"
import { snapshotOf, unknownModel } from "../src/catalogue.ts"
import { createRegistry, findProvider, noOwnModels, type OwnModels } from "../src/index.ts"
import { keyVariables, recognizeKey } from "../src/providers.ts"
import { familyCompat } from "../src/registry.ts"

const facts = { contextWindow: 20_000, maxOutput: 1000, reasoning: false, images: false }

test("a newer catalogue replaces limits and prices, and keeps wire format options", async () => {
  const shipped = await snapshotOf("anthropic")
  const withCompat = Object.keys(shipped).find((id) => shipped[id]?.compat?.adaptiveThinking) ?? ""
  const row = findProvider("anthropic")
  assert.ok(row && withCompat !== "")
  const newer = async (id: string) => (id === "anthropic" ? { [withCompat]: facts, brand_new: facts } : undefined)
  const known = await createRegistry({ ...noOwnModels, newer }).modelsOf("anthropic")
  assert.deepEqual(known[withCompat], { ...shipped[withCompat], ...facts })
  assert.deepEqual(known["brand_new"], { ...familyCompat(row, shipped), ...facts })
  assert.equal(Object.keys(known).length, Object.keys(shipped).length + 1)
  const lab = createRegistry({ ...noOwnModels, newer: async () => ({ m: facts }) })
  assert.deepEqual(await lab.modelsOf("unknown"), {})
  assert.deepEqual(await createRegistry().modelsOf("toString"), {})
})

test("the user's changes override the catalogue, and complete an unlisted model", async () => {
  const own: OwnModels = {
    ...noOwnModels,
    models: { anthropic: { mine: { maxOutput: 7 }, toString: { maxOutput: 8 } } },
  }
  const known = await createRegistry(own).modelsOf("anthropic")
  assert.deepEqual(known["mine"], { ...unknownModel, maxOutput: 7 })
  assert.deepEqual(Object.getOwnPropertyDescriptor(known, "toString")?.value, { ...unknownModel, maxOutput: 8 })
  assert.deepEqual(await createRegistry(own).modelsOf("toString"), {})
})

test("a user's provider replaces the one with the same id in place", () => {
  const row = findProvider("openai")
  assert.ok(row)
  const mine = { ...row, name: "Mine" }
  const registry = createRegistry({ ...noOwnModels, providers: [mine] })
  assert.equal(registry.find("openai"), mine)
  assert.deepEqual(
    registry.providers.map(({ id }) => id),
    createRegistry().providers.map(({ id }) => id),
  )
})

test("a model uses its family default's options only if that thinks adaptively", () => {
  const row = { ...(findProvider("openai") ?? assert.fail()), family: /^a/, defaultModel: "a" }
  const adaptive = { a: { ...facts, compat: { adaptiveThinking: true } } }
  const { family: _, ...noFamily } = row
  assert.deepEqual(familyCompat(row, adaptive), { compat: { adaptiveThinking: true } })
  assert.deepEqual(familyCompat(noFamily, adaptive), {})
  assert.deepEqual(familyCompat({ ...row, defaultModel: null }, adaptive), {})
  assert.deepEqual(familyCompat(row, { a: facts }), {})
  assert.deepEqual(familyCompat(row, {}), {})
})

test("a path is inserted between a base URL's address and its query", () => {
  const rows = [
    ["http://a/v1", "/m", "http://a/v1/m"],
    ["http://a/v1//", "/m", "http://a/v1/m"],
    ["http://a/v1/?k=1", "/m", "http://a/v1/m?k=1"],
    ["http://a?k=1", "/m?n=2", "http://a/m?n=2&k=1"],
    ["http://a?#b", "/m", "http://a/m"],
    ["http://a/?k=/#b", "/m", "http://a/m?k=/"],
  ] as const
  for (const [base, path, url] of rows) assert.equal(atBaseUrl(base, path), url, base)
  assert.deepEqual(["http://a/v1/", "http://a/v1/?k=1#b", "http://a//?"].map(tidyBaseUrl), [
    "http://a/v1",
    "http://a/v1?k=1",
    "http://a",
  ])
})

test("a key is recognized by the longest prefix; the variables of each provider are listed", () => {
  assert.equal(recognizeKey("sk-proj-x")?.id, "openai")
  assert.equal(recognizeKey("AIzaX")?.id, "google")
  assert.equal(recognizeKey(""), undefined)
  assert.deepEqual(keyVariables()["anthropic"], findProvider("anthropic")?.keys)
  assert.equal(findProvider("nobody"), undefined)
})
