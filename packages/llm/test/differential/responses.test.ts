import assert from "node:assert/strict"
import { test } from "node:test"
import OpenAI from "openai"
import type { Response as Final, ResponseStreamEvent } from "openai/resources/responses/responses"
import { openaiResponses } from "../../src/openai-responses/provider.ts"
import { requestWith, collect, type Collected, fakeTransport, manualClock, modelOf } from "../helpers.ts"
import { randomPieces } from "./pieces.ts"
import { responses } from "./responses-streams.ts"

const model = modelOf({ api: "openai-responses" })

for (const [name, stream] of Object.entries(responses)) {
  const bytes = Buffer.from(stream)

  test(`[PROVIDER-ADP.2] [PROVIDER-ADP.3] [PROVIDER-03] responses: "${name}" equals the official client's reply`, async () => {
    const { reply } = await read([bytes])
    assert.ok(reply.ok, JSON.stringify(reply))
    const { content, stopReason, usage } = reply.message
    assert.deepEqual({ content, stopReason, usage }, finalOf(await client(bytes).stream(params).finalResponse()))
  })

  test(`responses: "${name}" is the same byte by byte`, async () => {
    assert.deepEqual((await read(pieces(bytes, () => 1))).reply, (await read([bytes])).reply)
  })

  test(`responses: "${name}" is the same in chunks of any size`, async () => {
    const whole = await read([bytes])
    for (let seed = 1; seed <= 200; seed++)
      assert.deepEqual((await read(randomPieces(bytes, seed))).reply, whole.reply, `seed ${seed}`)
  })

  test(`responses: "${name}" cut at every byte equals the official client's partial reply, and is a failure before its end`, async () => {
    const ends = eventEnds(bytes)
    const printed = await Promise.all(ends.map((end) => theirs(bytes.subarray(0, end))))
    for (let cut = 0; cut < bytes.length; cut++) {
      const got = await read([bytes.subarray(0, cut)])
      const shown = ours(got)
      const whole = ends.findLastIndex((end) => end <= cut)
      // We accept an event without its final blank line if its JSON is complete.
      if (!isSame(shown, printed[whole])) {
        assert.ok(cut >= (ends[whole + 1] ?? Infinity) - 2, `cut at ${cut}`)
        assert.deepEqual(shown, printed[whole + 1], `cut at ${cut}`)
      }
      if (got.reply.ok) continue
      assert.match(got.reply.failure.kind, /^(network|bad-reply)$/)
      assert.equal(got.reply.failure.retryable, true)
      for (const block of got.reply.partial?.content ?? [])
        if (block.type === "tool_call") assert.equal(block.broken, undefined)
    }
  })
}

interface Said {
  text: string
  thinking: string
  calls: { name: string; arguments: string }[]
  over: boolean
}

function isSame(a: Said, b: Said | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** After each event, and before the first. */
function eventEnds(bytes: Buffer): number[] {
  const ends = [0]
  for (let at = bytes.indexOf("\n\n"); at >= 0; at = bytes.indexOf("\n\n", at + 2)) ends.push(at + 2)
  return ends
}

function* pieces(bytes: Uint8Array, size: () => number) {
  for (let at = 0; at < bytes.length;) {
    const end = at + size()
    yield bytes.subarray(at, end)
    at = end
  }
}

async function read(body: Iterable<Uint8Array>): Promise<Collected> {
  const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
  return collect(openaiResponses(model, ports), requestWith())
}

function ours({ partials, reply }: Collected): Said {
  const printed: Said = { text: "", thinking: "", calls: [], over: reply.ok }
  for (const partial of partials) {
    if (partial.type === "text") printed.text += partial.delta
    if (partial.type === "thinking") printed.thinking += partial.delta
    if (partial.type === "call") printed.calls.push({ name: partial.name, arguments: "" })
    const call = partial.type === "args" ? printed.calls.at(-1) : undefined
    if (partial.type === "args" && call) call.arguments += partial.delta
  }
  return printed
}

const params = { model: "m", input: "hi" }

function client(bytes: Uint8Array) {
  const fetch = async () => new Response(Buffer.from(bytes), { headers: { "content-type": "text/event-stream" } })
  return new OpenAI({ apiKey: "x", baseURL: "http://model.test/v1", fetch, maxRetries: 0, logLevel: "off" }).responses
}

async function theirs(bytes: Uint8Array): Promise<Said> {
  const printed: Said = { text: "", thinking: "", calls: [], over: false }
  try {
    for await (const event of await client(bytes).create({ ...params, stream: true })) take(printed, event)
  } catch {
    // The cut is inside an event.
  }
  return printed
}

function take(printed: Said, event: ResponseStreamEvent): void {
  if (event.type === "response.output_text.delta" || event.type === "response.refusal.delta")
    printed.text += event.delta
  if (event.type === "response.reasoning_summary_text.delta") printed.thinking += event.delta
  if (event.type === "response.reasoning_summary_part.added" && event.summary_index > 0) printed.thinking += "\n\n"
  if (event.type === "response.output_item.added" && event.item.type === "function_call")
    printed.calls.push({ name: event.item.name, arguments: "" })
  const call = printed.calls.at(-1)
  if (event.type === "response.function_call_arguments.delta" && call) call.arguments += event.delta
  if (event.type === "response.completed" || event.type === "response.incomplete") printed.over = true
}

/** The official client's reply as ours. */
function finalOf({ output, usage, incomplete_details: incomplete }: Final) {
  const content = output.map((item) => {
    if (item.type === "message") {
      const texts = item.content.map((part) => (part.type === "refusal" ? part.refusal : part.text))
      return { type: "text", text: texts.join("") }
    }
    if (item.type === "reasoning") {
      const text = item.summary.map((part) => part.text).join("\n\n")
      return { type: "thinking", text, signature: `${item.id}|${item.encrypted_content}` }
    }
    assert.ok(item.type === "function_call")
    const id = `${item.call_id}|${item.id}`
    return { type: "tool_call", id, name: item.name, arguments: JSON.parse(item.arguments) as unknown }
  })
  const calls = output.some((item) => item.type === "function_call")
  assert.ok(usage)
  const { cached_tokens: cacheRead, cache_write_tokens: cacheWrite } = usage.input_tokens_details
  return {
    content,
    stopReason: incomplete?.reason === "max_output_tokens" ? "length" : calls ? "tool_calls" : "stop",
    usage: {
      input: usage.input_tokens - cacheRead - cacheWrite,
      output: usage.output_tokens,
      cacheRead,
      cacheWrite,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    },
  }
}
