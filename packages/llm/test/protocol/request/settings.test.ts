import assert from "node:assert/strict"
import { test } from "node:test"
import type { Compat, Model, ThinkingLevel } from "@gong/spec"
import { format as anthropic } from "../../../src/anthropic-messages/request.ts"
import { format as google } from "../../../src/google-generative-ai/request.ts"
import { format as completions } from "../../../src/openai-completions/request.ts"
import { format as responses } from "../../../src/openai-responses/request.ts"
import type { BodyFormat, RequestOptions } from "../../../src/protocol/request/body.ts"
import { modelOf } from "../../helpers.ts"

const parameters = { type: "object", properties: {} } as const
const tools = ["a", "b"].map((name) => ({ name, description: "d", parameters }))

/** The request without its messages, parsed. */
function around(format: BodyFormat, more: Partial<RequestOptions> = {}, model: Partial<Model> = {}) {
  const given = { system: "", tools: [], thinking: "off", withoutThinking: false, ...more } as const
  const options: RequestOptions = { ...given, model: modelOf(model) }
  return JSON.parse(format.head(options) + format.tail(options)) as Record<string, unknown>
}

test("completions: each option is in its field and nowhere else", () => {
  const plain = { model: "m", messages: [], stream: true, stream_options: { include_usage: true } }
  assert.deepEqual(around(completions), plain)
  assert.deepEqual(around(completions, { system: "s", sessionId: "i" }, { wireId: "w", body: { x: 1 } }), {
    ...plain,
    model: "w",
    messages: [{ role: "system", content: "s" }],
    x: 1,
  })
  const compat: Compat = {
    systemRole: "developer",
    maxTokensField: "max_completion_tokens",
    noStreamUsage: true,
    cacheKey: true,
    toolStream: true,
  }
  const called = tools.map((tool) => ({ type: "function", function: tool }))
  assert.deepEqual(around(completions, { system: "s", sessionId: "i", tools }, { compat }), {
    model: "m",
    messages: [{ role: "developer", content: "s" }],
    tools: called,
    tool_stream: true,
    max_completion_tokens: 8000,
    prompt_cache_key: "i",
    stream: true,
  })
  assert.deepEqual(around(completions, { tools }), { ...plain, tools: called })
  assert.equal("prompt_cache_key" in around(completions, {}, { compat }), false)
})

test("completions: thinking is switched in each server's own way", () => {
  const rows: readonly (readonly [Compat, ThinkingLevel, object])[] = [
    [{}, "high", { reasoning_effort: "high" }],
    [{}, "off", {}],
    [{ thinkingSwitch: "effort" }, "low", { reasoning_effort: "low" }],
    [{ efforts: ["off", "low"] }, "off", { reasoning_effort: "none" }],
    [{ thinkingSwitch: "reasoning" }, "low", { reasoning: { effort: "low" } }],
    [{ thinkingSwitch: "reasoning" }, "off", {}],
    [{ thinkingSwitch: "type" }, "low", { thinking: { type: "enabled" }, reasoning_effort: "low" }],
    [{ thinkingSwitch: "type" }, "off", { thinking: { type: "disabled" } }],
    [{ thinkingSwitch: "type", noEffort: true }, "low", { thinking: { type: "enabled" } }],
    [{ thinkingSwitch: "type", efforts: ["low"] }, "off", {}],
    [{ thinkingSwitch: "type", efforts: ["off", "low"] }, "off", { thinking: { type: "disabled" } }],
    [{ thinkingSwitch: "type", efforts: [] }, "low", { thinking: { type: "enabled" } }],
    [{ thinkingSwitch: "type", efforts: ["off"] }, "low", { thinking: { type: "enabled" } }],
  ]
  const names = ["reasoning_effort", "reasoning", "thinking", "enable_thinking"]
  const chosen = (compat: Compat, thinking: ThinkingLevel, reasoning = true) =>
    Object.fromEntries(
      Object.entries(around(completions, { thinking }, { compat, reasoning })).filter(([name]) => names.includes(name)),
    )
  for (const [compat, level, fields] of rows)
    assert.deepEqual(chosen(compat, level), fields, `${JSON.stringify(compat)} ${level}`)
  assert.deepEqual(chosen({ thinkingSwitch: "type" }, "low", false), {})
})

test("anthropic: cached parts are marked, and a thinking budget leaves room for the answer", () => {
  const kept = { type: "ephemeral" }
  assert.deepEqual(around(anthropic, {}, { reasoning: false }), {
    model: "m",
    messages: [],
    max_tokens: 8000,
    stream: true,
  })
  assert.deepEqual(around(anthropic, { system: "s", tools }, { wireId: "w", body: { x: 1 } }), {
    model: "w",
    system: [{ type: "text", text: "s", cache_control: kept }],
    tools: [
      { name: "a", description: "d", input_schema: parameters },
      { name: "b", description: "d", input_schema: parameters, cache_control: kept },
    ],
    messages: [],
    max_tokens: 8000,
    stream: true,
    x: 1,
  })
  const one = around(anthropic, { tools: tools.slice(0, 1) })["tools"]
  assert.deepEqual(one, [{ name: "a", description: "d", input_schema: parameters, cache_control: kept }])
  const thought = (thinking: ThinkingLevel, model: Partial<Model>, withoutThinking = false) => {
    const request = around(anthropic, { thinking, withoutThinking }, model)
    return { thinking: request["thinking"], effort: request["output_config"] }
  }
  const budget = (tokens: number) => ({ thinking: { type: "enabled", budget_tokens: tokens }, effort: undefined })
  const nothing = { thinking: undefined, effort: undefined }
  const large = { maxOutput: 100_000 }
  const levels = { minimal: 1024, low: 4096, medium: 10_240, high: 20_480, xhigh: 32_768 } as const
  for (const [level, tokens] of Object.entries(levels))
    assert.deepEqual(thought(level as ThinkingLevel, large), budget(tokens), level)
  assert.deepEqual(thought("high", { maxOutput: 2048 }), budget(1024))
  assert.deepEqual(thought("high", { maxOutput: 2047 }), nothing)
  assert.deepEqual(thought("high", { maxOutput: 3001 }), budget(1500))
  assert.deepEqual(thought("high", { ...large, reasoning: false }), nothing)
  assert.deepEqual(thought("high", large, true), nothing)
  const off = { thinking: { type: "disabled" }, effort: undefined }
  assert.deepEqual(thought("off", { compat: { thinkingOff: "disabled" } }), off)
  assert.deepEqual(thought("off", { compat: { thinkingOff: "disabled", efforts: ["off"] } }), off)
  assert.deepEqual(thought("off", { compat: { thinkingOff: "disabled", efforts: ["low"] } }), nothing)
  const adaptive = { compat: { adaptiveThinking: true } }
  assert.deepEqual(thought("off", adaptive), { thinking: undefined, effort: { effort: "low" } })
  const shown = { type: "adaptive", display: "summarized" }
  for (const [level, effort] of Object.entries({ minimal: "low", medium: "medium", xhigh: "xhigh" }))
    assert.deepEqual(thought(level as ThinkingLevel, adaptive), { thinking: shown, effort: { effort } })
})

test("responses: nothing is stored, and a model with reasoning returns it encrypted", () => {
  const plain = { model: "m", input: [], max_output_tokens: 8000, store: false, stream: true }
  const include = ["reasoning.encrypted_content"]
  assert.deepEqual(around(responses, {}, { reasoning: false }), plain)
  assert.deepEqual(around(responses), { ...plain, include })
  assert.deepEqual(around(responses, { withoutThinking: true }), plain)
  const more = { system: "s", tools, thinking: "low", sessionId: "i" } as const
  assert.deepEqual(around(responses, more, { wireId: "w", body: { x: 1 } }), {
    ...plain,
    model: "w",
    instructions: "s",
    tools: tools.map((tool) => ({ type: "function", ...tool, strict: false })),
    reasoning: { effort: "low", summary: "auto" },
    include,
    prompt_cache_key: "i",
    x: 1,
  })
  assert.deepEqual(around(responses, {}, { compat: { efforts: ["off"] } })["reasoning"], { effort: "none" })
})

test("google: a budget within half of the output, or a level for models with levels", () => {
  assert.deepEqual(around(google, {}, { reasoning: false }), {
    contents: [],
    generationConfig: { maxOutputTokens: 8000 },
  })
  assert.deepEqual(around(google, { system: "s", tools }, { reasoning: false, body: { x: 1 } }), {
    systemInstruction: { parts: [{ text: "s" }] },
    contents: [],
    tools: [
      {
        functionDeclarations: tools.map(({ name, description }) => ({
          name,
          description,
          parametersJsonSchema: parameters,
        })),
      },
    ],
    generationConfig: { maxOutputTokens: 8000 },
    x: 1,
  })
  const thought = (thinking: ThinkingLevel, model: Partial<Model> = {}) => {
    const { generationConfig } = around(google, { thinking }, { maxOutput: 100_000, ...model })
    return (generationConfig as { readonly thinkingConfig: unknown }).thinkingConfig
  }
  const levels = { minimal: 512, low: 2048, medium: 8192, high: 16_384, xhigh: 24_576 }
  for (const [level, thinkingBudget] of Object.entries(levels))
    assert.deepEqual(thought(level as ThinkingLevel), { includeThoughts: true, thinkingBudget }, level)
  assert.deepEqual(thought("high", { maxOutput: 2001 }), { includeThoughts: true, thinkingBudget: 1000 })
  assert.deepEqual(thought("high", { maxOutput: 1000 }), { includeThoughts: true, thinkingBudget: 512 })
  assert.deepEqual(thought("off"), { thinkingBudget: 512 })
  assert.deepEqual(thought("off", { compat: { thinkingOff: "disabled" } }), { thinkingBudget: 0 })
  const compat = { adaptiveThinking: true }
  assert.deepEqual(thought("high", { compat }), { includeThoughts: true, thinkingLevel: "HIGH" })
  assert.deepEqual(thought("off", { compat }), { thinkingLevel: "LOW" })
  assert.deepEqual(thought("off", { compat: { ...compat, efforts: ["minimal"] } }), { thinkingLevel: "MINIMAL" })
  assert.deepEqual(thought("low", { compat: { ...compat, efforts: [] } }), {
    includeThoughts: true,
    thinkingLevel: "LOW",
  })
})
