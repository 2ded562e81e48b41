import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import type { LoadedExtension } from "../../../src/compose/extensions/extension-parts.ts"
import { noRefreshedCatalogue } from "../../../src/compose/models/catalogue.ts"
import { extensionProviders, registryWith } from "../../../src/compose/models/extension-providers.ts"
import { registryOf } from "../../../src/compose/models/registry.ts"

const made = registryOf(null, noRefreshedCatalogue)
assert.ok(made.ok)
const registry = made.value

interface Offered {
  readonly name: string
  readonly facts?: object
  readonly streams?: boolean
}

const facts = { baseUrl: "https://lab.example/v1", keys: ["LAB_KEY"], models: { m: { contextWindow: 1000 } } }

async function provided(offered: readonly Offered[], level = "user") {
  const providers = offered.map((one) => ({ facts, streams: false, ...one }))
  const one = { path: "/x.ts", level, registrations: { providers }, remote: {} } as unknown as LoadedExtension
  const { providers: accepted, refused } = await extensionProviders([one], registry)
  return {
    accepted,
    lines: refused.map(({ type, path, line, text }) => `${type} ${path} ${line} ${englishOf(text)}`),
  }
}

test("a provider of an extension is added with its models, after those that are known", async () => {
  const { accepted, lines } = await provided([{ name: "lab" }])
  assert.deepEqual(lines, [])
  const [lab] = accepted
  assert.deepEqual(
    [lab?.row.id, lab?.row.baseUrl, lab?.row.keys, lab?.transport],
    ["lab", facts.baseUrl, ["LAB_KEY"], null],
  )
  assert.equal(lab?.row.api, "openai-completions")
  const whole = registryWith(registry, accepted)
  assert.deepEqual(
    whole.providers.map(({ id }) => id),
    [...registry.providers.map(({ id }) => id), "lab"],
  )
  assert.equal(whole.find("lab"), lab?.row)
  assert.equal(whole.find("anthropic"), registry.find("anthropic"))
  assert.equal((await whole.modelsOf("lab"))["m"]?.contextWindow, 1000)
  assert.deepEqual(await whole.modelsOf("anthropic"), await registry.modelsOf("anthropic"))
})

test("a provider that makes its requests itself has a format of its own, and needs no address", async () => {
  const { accepted } = await provided([{ name: "own", facts: {}, streams: true }])
  const [own] = accepted
  assert.deepEqual(
    [own?.row.api, own?.row.baseUrl, own?.row.modelsPath, own?.row.keyCheck, own?.models],
    ["extension", "extension:own", null, null, {}],
  )
  assert.notEqual(own?.transport, null)
  const [named] = (await provided([{ name: "own", facts, streams: true }])).accepted
  assert.equal(named?.row.baseUrl, facts.baseUrl)
})

test("a provider is refused that takes a name or a key of another, is invalid, or belongs to a project", async () => {
  const left = (name: string, why: string) => `error /x.ts null the provider "${name}" is left out: ${why}`
  const taken = (name: string) =>
    `collision /x.ts null the provider "${name}" is left out: there is one of this name. Rename it.`
  for (const [one, line] of [
    [{ name: "anthropic" }, taken("anthropic")],
    [{ name: "demo" }, left("demo", "this name is taken. Rename it.")],
    [{ name: "scripted" }, left("scripted", "this name is taken. Rename it.")],
    [{ name: "custom" }, left("custom", "this name is taken. Rename it.")],
    [
      { name: "lab", facts: { ...facts, keys: ["ANTHROPIC_API_KEY"] } },
      left(
        "lab",
        "ANTHROPIC_API_KEY holds the key of another provider. Name a variable of its own; for another address of that provider there is models.json.",
      ),
    ],
    [
      { name: "lab", facts: { ...facts, keys: ["LAB_KEY", "GONG_API_KEY"] } },
      left(
        "lab",
        "GONG_API_KEY holds the key of another provider. Name a variable of its own; for another address of that provider there is models.json.",
      ),
    ],
  ] as const)
    assert.deepEqual((await provided([one])).lines, [line], one.name)
  const [invalid = ""] = (await provided([{ name: "lab", facts: { ...facts, api: "x" } }])).lines
  assert.match(invalid, /^error \/x\.ts null the provider "lab" is left out: api must be one of .*\. Mend it there\.$/)
  const [fault = ""] = (await provided([{ name: "lab", facts: { ...facts, baseUrl: "http://h:99999" } }])).lines
  assert.match(fault, /the provider "lab" is left out: http:\/\/h:99999 is no base URL/)
  const twice = await provided([{ name: "lab" }, { name: "lab" }, { name: "other" }])
  assert.deepEqual([twice.accepted.map(({ row }) => row.id), twice.lines], [["lab", "other"], [taken("lab")]])
  assert.deepEqual((await provided([{ name: "lab" }], "project")).lines, [
    left("lab", "extensions of a project bring none. Put it into ~/.gong/extensions, or name it with -e."),
  ])
})
