import assert from "node:assert/strict"
import { test } from "node:test"
import { maxJsonDepth, type ModelApi, type ToolCall } from "@gong/spec"
import { openProvider } from "../../../src/open-provider.ts"
import { accumulator, finalArguments } from "../../../src/protocol/reply/partial-json.ts"
import { requestWith, collect, fakeTransport, manualClock, modelOf } from "../../helpers.ts"

// A repetitive model nests arguments endlessly. That must end neither the program nor the reply.

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`
const event = (json: string): string => `data: ${json}\n\n`

/** The stream of each format that calls `ls` with these arguments as text. */
const streams: Readonly<Record<ModelApi, (args: string) => string>> = {
  "openai-completions": (args) =>
    event(
      `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ls","arguments":${JSON.stringify(args)}}}]}}]}`,
    ) + event('{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}'),
  "openai-responses": (args) =>
    event(
      `{"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","call_id":"c1","name":"ls","arguments":${JSON.stringify(args)}}]}}`,
    ),
  "anthropic-messages": (args) =>
    event('{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"ls"}}') +
    event(
      `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(args)}}}`,
    ) +
    event('{"type":"message_delta","delta":{"stop_reason":"tool_use"}}') +
    event('{"type":"message_stop"}'),
  "google-generative-ai": (args) =>
    event(
      `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c1","name":"ls","args":${args}}}]},"finishReason":"STOP"}]}`,
    ),
  extension: (args) =>
    event(`{"type":"tool_call","id":"c1","name":"ls","arguments":${args}}`) +
    event('{"type":"stop","reason":"tool_calls"}'),
}

/** The same for servers that send the object itself. */
const objects: readonly (readonly [ModelApi, (args: string) => string])[] = [
  [
    "openai-completions",
    (args) =>
      event(
        `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ls","arguments":${args}}}]}}]}`,
      ) + event('{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}'),
  ],
  [
    "anthropic-messages",
    (args) => `{"content":[{"type":"tool_use","id":"c1","name":"ls","input":${args}}],"stop_reason":"tool_use"}`,
  ],
  [
    "anthropic-messages",
    (args) =>
      event(
        `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"ls","input":${args}}}`,
      ) +
      event('{"type":"message_delta","delta":{"stop_reason":"tool_use"}}') +
      event('{"type":"message_stop"}'),
  ],
]

async function called(api: ModelApi, body: string): Promise<ToolCall> {
  const ports = { transport: fakeTransport({ body: [body] }), clock: manualClock(), credential: null }
  const { reply, partials } = await collect(await openProvider(modelOf({ api }), ports), requestWith())
  for (const partial of partials) if (partial.type === "args") JSON.stringify(partial.partialArgs)
  assert.ok(reply.ok, `${api}: ${reply.ok ? "" : reply.failure.message}`)
  const [call] = reply.message.content
  assert.ok(call?.type === "tool_call", api)
  return call
}

for (const [api, bodyOf] of [...(Object.entries(streams) as [ModelApi, (args: string) => string][]), ...objects]) {
  test(`${api}: arguments of 500 levels are a call; with 501 and with 100,000 they are a call with unreadable arguments`, async () => {
    const whole = await called(api, bodyOf(nested(maxJsonDepth)))
    assert.deepEqual([JSON.stringify(whole.arguments), whole.broken], [nested(maxJsonDepth), undefined])
    for (const levels of [maxJsonDepth + 1, 3000, 100_000]) {
      const call = await called(api, bodyOf(nested(levels)))
      assert.deepEqual(call.arguments, {})
      assert.ok(call.broken?.startsWith(nested(maxJsonDepth + 1).slice(0, 5 * (maxJsonDepth + 1))), String(levels))
    }
  })
}

test("the tolerant parser neither exceeds 500 levels nor repairs such input", () => {
  const open = '{"a":'.repeat(maxJsonDepth)
  assert.equal(finalArguments(`${'{"a":'.repeat(maxJsonDepth - 1)}{`).ok, true, "500 brackets are closed")
  for (const text of [`${open}{}`, `${open}[`, `${open}{"a":1`, `${nested(600).slice(0, -1)},}`]) {
    assert.equal(finalArguments(text).ok, false, text.slice(-10))
    const json = accumulator()
    for (const piece of text.match(/.{1,100}/gs) ?? []) json.add(piece)
    assert.equal(json.add("").status, "error")
    assert.equal(JSON.stringify(json.add("").value).match(/\{/g)?.length, maxJsonDepth)
  }
})
