import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { createCredentials } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import { must } from "@gong/config/usage"
import { readConfig } from "../../../src/compose/config.ts"
import { keySources } from "../../../src/compose/keys/keys.ts"
import { chooseModel, type ModelDeps, namedModel } from "../../../src/compose/models/model.ts"
import { servicesOf } from "../services.ts"

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly spec?: SessionSpec
  readonly last?: string | null
  readonly models?: object
}

async function depsOf(t: TestContext, { env = {}, spec = {}, last = null, models }: Given): Promise<ModelDeps> {
  const machine = servicesOf(t)
  const services = { ...machine, env: { ...machine.env, ...env } }
  const home = machine.env["GONG_HOME"] ?? ""
  if (models !== undefined) {
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, "models.json"), JSON.stringify(models))
  }
  const config = must(await readConfig(services, spec))
  const credentials = must(createCredentials(keySources({ services, spec, config })))
  const { settings, registry } = config
  return { settings, registry, credentials, env: services.env, last: async () => last }
}

/** The chosen model with its key, the number of other providers, and the fallbacks; or the lines of the error. */
async function chosen(t: TestContext, given: Given): Promise<readonly unknown[]> {
  const found = await chooseModel(await depsOf(t, given))
  if (!found.ok) return found.error.lines
  const { model, credential, others, fallbacks } = found.value
  const names = fallbacks.map((one) => `${one.model.provider}/${one.model.id}`)
  return [`${model.provider}/${model.id}`, credential?.key ?? null, others, ...names]
}

const anthropic = { ANTHROPIC_API_KEY: "sk-a" }
const openai = { OPENAI_API_KEY: "sk-o" }
const defaults = async (t: TestContext, id: string) => (await depsOf(t, {})).registry.find(id)?.defaultModel

test("without a model the first provider with a key is used, and the others are counted", async (t) => {
  const model = `anthropic/${await defaults(t, "anthropic")}`
  assert.deepEqual(await chosen(t, { env: anthropic }), [model, "sk-a", 0])
  assert.deepEqual(await chosen(t, { env: { ...anthropic, ...openai } }), [model, "sk-a", 1])
  assert.deepEqual(await chosen(t, { env: openai }), [`openai/${await defaults(t, "openai")}`, "sk-o", 0])
  const lab = { baseUrl: "http://h/v1", keys: ["OPENAI_API_KEY"], defaultModel: "big", models: { big: {} } }
  const shared = await chosen(t, { env: openai, models: { providers: { lab } } })
  assert.equal(shared[2], 0, "providers that share a variable count once")
})

test("without a key there is no model, which the frontend may solve", async (t) => {
  const found = await chooseModel(await depsOf(t, {}))
  assert.ok(!found.ok)
  assert.deepEqual([found.error.noModel, found.error.lines[0]], [true, "gong: no model is configured."])
  assert.equal(found.error.lines.length, 3)
  assert.deepEqual(await chosen(t, { spec: { baseUrl: "http://h/v1" } }), [
    "gong: --base-url needs a model: gong --base-url URL -m MODEL ...",
  ])
})

test("the model of the last session is used if its provider is known and has a key, or needs none", async (t) => {
  const first = `anthropic/${await defaults(t, "anthropic")}`
  const last = async (name: string) => (await chosen(t, { env: { ...anthropic, ...openai }, last: name }))[0]
  assert.equal(await last("openai/gpt-5.1"), "openai/gpt-5.1")
  assert.equal(await last("groq/some"), first)
  assert.equal(await last("nowhere/some"), first)
  assert.deepEqual(await chosen(t, { last: "vllm/own" }), ["vllm/own", null, 0])
  assert.equal(
    (await chosen(t, { env: anthropic, last: "vllm/own", spec: { model: "anthropic/claude-opus-4-1" } }))[0],
    "anthropic/claude-opus-4-1",
  )
})

test("a provider without a key is used if it has a default model", async (t) => {
  const lab = { baseUrl: "http://127.0.0.1:9/v1", keys: [], defaultModel: "big", models: { big: {} } }
  assert.deepEqual(await chosen(t, { models: { providers: { lab } } }), ["lab/big", null, 0])
})

test("models behind the first one are fallbacks, each with a key of its own", async (t) => {
  const spec = { model: "anthropic/claude-opus-4-1,openai/gpt-5.1" }
  assert.deepEqual(await chosen(t, { env: { ...anthropic, ...openai }, spec }), [
    "anthropic/claude-opus-4-1",
    "sk-a",
    0,
    "openai/gpt-5.1",
  ])
  assert.deepEqual(await chosen(t, { spec: { ...spec, apiKey: "sk-given" } }), [
    "gong: no key for OpenAI. Give one: gong login openai  or: export OPENAI_API_KEY=...",
  ])
  assert.deepEqual(await chosen(t, { env: openai, spec }), [
    "gong: no key for Anthropic. Give one: gong login anthropic  or: export ANTHROPIC_API_KEY=...",
  ])
})

test("a short name is the newest model of its family at a provider with a key", async (t) => {
  const [name] = await chosen(t, { env: anthropic, spec: { model: "sonnet" } })
  assert.match(String(name), /^anthropic\/claude-sonnet-/)
  const none = (family: string) => [
    `gong: "${family}": no provider with a key has such a model. gong models ${family} lists them.`,
  ]
  assert.deepEqual(await chosen(t, { spec: { model: "sonnet" } }), none("sonnet"))
  assert.deepEqual(await chosen(t, { env: anthropic, spec: { model: "grok" } }), none("grok"))
  const own = { model: "sonnet", baseUrl: "http://127.0.0.1:9/v1" }
  assert.deepEqual(await chosen(t, { spec: own }), ["custom/sonnet", null, 0], "an own endpoint has own names")
})

test("a model has the thinking level of its name, else of the setting, else none", async (t) => {
  const level = async (spec: SessionSpec, name: string) =>
    must(await namedModel(await depsOf(t, { env: anthropic, spec }), name)).thinking
  assert.equal(await level({}, "anthropic/claude-opus-4-1:high"), "high")
  assert.equal(await level({ thinking: "low" }, "anthropic/claude-opus-4-1:high"), "high")
  assert.equal(await level({ thinking: "low" }, "anthropic/claude-opus-4-1"), "low")
  assert.equal(await level({}, "anthropic/claude-opus-4-1"), "off")
})

test("the address, the format and the refusal of images are those of the settings", async (t) => {
  const model = async (spec: SessionSpec) =>
    must(await namedModel(await depsOf(t, { env: anthropic, spec }), "anthropic/claude-opus-4-1")).model
  const plain = await model({})
  assert.deepEqual([plain.images, plain.api], [true, "anthropic-messages"])
  const other = await model({ baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", apiKey: "sk" })
  assert.deepEqual([other.baseUrl, other.api], ["http://127.0.0.1:9/v1", "openai-completions"])
  const blocked = await model({ set: ["images.block=true"] })
  assert.equal(blocked.images, false)
  const deps = await depsOf(t, { env: anthropic })
  for (const wrong of ["a b", "nowhere/x"]) assert.equal((await namedModel(deps, wrong)).ok, false, wrong)
})
