import assert from "node:assert/strict"
import { test } from "node:test"
import Anthropic from "@anthropic-ai/sdk"
import { anthropicMessages } from "../../src/anthropic-messages/provider.ts"
import { requestWith, collect, type Collected, fakeTransport, manualClock, modelOf } from "../helpers.ts"
import { randomPieces } from "./pieces.ts"
import { messages } from "./streams.ts"

const model = modelOf({ api: "anthropic-messages", baseUrl: "http://model.test" })
const stops: Readonly<Record<string, string>> = { end_turn: "stop", tool_use: "tool_calls", max_tokens: "length" }

for (const [name, stream] of Object.entries(messages)) {
  const bytes = Buffer.from(stream)

  test(`[PROVIDER-01] [PROVIDER-ADP.2] [PROVIDER-ADP.3] [PROVIDER-THK.3] anthropic: "${name}" equals the official client's reply`, async () => {
    const { reply } = await read([bytes])
    assert.ok(reply.ok)
    const theirs = await official(bytes)
    assert.deepEqual(reply.message.content, theirs.content)
    assert.equal(reply.message.stopReason, theirs.stop)
    assert.deepEqual(reply.message.usage, theirs.usage)
  })

  test(`anthropic: "${name}" is the same byte by byte`, async () => {
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
    assert.deepEqual((await read(single)).reply, (await read([bytes])).reply)
  })

  test(`anthropic: "${name}" is the same in chunks of any size`, async () => {
    const whole = await read([bytes])
    for (let seed = 1; seed <= 200; seed++)
      assert.deepEqual((await read(randomPieces(bytes, seed))).reply, whole.reply, `seed ${seed}`)
  })

  test(`anthropic: "${name}" cut at every byte has the text so far, no cut call, and is a failure before its end`, async () => {
    const whole = await read([bytes])
    const end = bytes.indexOf("stop_reason", bytes.indexOf("message_delta"))
    for (let cut = 0; cut < bytes.length; cut++) {
      const got = await read([bytes.subarray(0, cut)])
      assert.ok(shown(whole).startsWith(shown(got)), `cut at ${cut}`)
      if (cut <= end) assert.equal(got.reply.ok, false, `cut at ${cut}`)
      if (got.reply.ok) continue
      assert.match(got.reply.failure.kind, /^(network|bad-reply)$/)
      assert.equal(got.reply.failure.retryable, true)
      for (const block of got.reply.partial?.content ?? [])
        if (block.type === "tool_call") assert.equal(block.broken, undefined)
    }
  })
}

async function read(body: Iterable<Uint8Array>): Promise<Collected> {
  const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
  return collect(anthropicMessages(model, ports), requestWith())
}

function shown({ partials }: Collected): string {
  return partials
    .map((partial) => ("delta" in partial ? partial.delta : partial.type === "call" ? `<${partial.name}>` : ""))
    .join("")
}

async function official(bytes: Uint8Array) {
  const fetch = async () => new Response(Buffer.from(bytes), { headers: { "content-type": "text/event-stream" } })
  const client = new Anthropic({ apiKey: "x", baseURL: "http://model.test", fetch, maxRetries: 0, logLevel: "off" })
  const stream = client.messages.stream({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "hi" }] })
  const { content, stop_reason, usage } = await stream.finalMessage()
  return {
    content: content.map((block) => {
      if (block.type === "text") return { type: "text", text: block.text }
      if (block.type === "thinking") return { type: "thinking", text: block.thinking, signature: block.signature }
      if (block.type === "redacted_thinking")
        return { type: "thinking", text: "", signature: block.data, redacted: true }
      assert.ok(block.type === "tool_use")
      return { type: "tool_call", id: block.id, name: block.name, arguments: block.input }
    }),
    stop: stops[stop_reason ?? ""],
    usage: {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens,
      cacheWrite: usage.cache_creation_input_tokens,
      reasoning: 0,
    },
  }
}
