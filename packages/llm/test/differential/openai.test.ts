import assert from "node:assert/strict"
import { test } from "node:test"
import OpenAI from "openai"
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { requestWith, collect, type Collected, fakeTransport, manualClock, modelOf } from "../helpers.ts"
import { randomPieces } from "./pieces.ts"
import { completions } from "./streams.ts"

interface Said {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly finish: string | null
  readonly usage: readonly number[] | null
}

for (const [name, stream] of Object.entries(completions)) {
  const bytes = Buffer.from(stream)

  test(`[PROVIDER-ADP.2] [PROVIDER-ADP.3] [PROVIDER-ARG.3] openai: "${name}" equals the official client's reply`, async () => {
    assert.deepEqual(ours(await read([bytes])), await theirs([bytes]))
  })

  test(`openai: "${name}" is the same byte by byte`, async () => {
    assert.deepEqual((await read(pieces(bytes))).reply, (await read([bytes])).reply)
  })

  test(`openai: "${name}" is the same in chunks of any size`, async () => {
    const whole = await read([bytes])
    for (let seed = 1; seed <= 200; seed++)
      assert.deepEqual((await read(randomPieces(bytes, seed))).reply, whole.reply, `seed ${seed}`)
  })

  test(`openai: "${name}" cut at every byte equals the official client's partial reply, and never throws`, async () => {
    for (let cut = 0; cut < bytes.length; cut++) {
      const part = bytes.subarray(0, cut)
      const got = ours(await read([part]))
      if (isSame(got, await theirs([part]))) continue
      // We accept an event without its final blank line if its JSON is complete.
      assert.deepEqual(got, await theirs([part, Buffer.from("\n\n")]), `cut at ${cut}`)
    }
  })
}

function isSame(a: Said, b: Said): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function* pieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
}

async function read(body: Iterable<Uint8Array>): Promise<Collected> {
  const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
  return collect(openaiCompletions(modelOf(), ports), requestWith())
}

/** The content of the partials, and for a complete reply its own. */
function ours({ partials, reply }: Collected): Said {
  const calls: { id: string; name: string; arguments: string }[] = []
  const places = new Map<number, number>()
  let text = ""
  for (const partial of partials) {
    if (partial.type === "text") text += partial.delta
    if (partial.type === "call") {
      places.set(partial.index, calls.length)
      calls.push({ id: partial.id, name: partial.name, arguments: "" })
    }
    const call = partial.type === "args" ? calls[places.get(partial.index) ?? -1] : undefined
    if (partial.type === "args" && call) call.arguments += partial.delta
  }
  const finish = reply.ok ? reply.message.stopReason : null
  if (reply.ok)
    assert.deepEqual(
      reply.message.content.filter((block) => block.type === "tool_call").map((block) => block.arguments),
      calls.map((call) => JSON.parse(call.arguments)),
    )
  const usage = reply.ok ? reply.message.usage : (reply.partial?.usage ?? null)
  const counts = usage && [
    usage.input + usage.cacheRead + usage.cacheWrite,
    usage.output,
    usage.cacheRead,
    usage.cacheWrite,
    usage.reasoning,
  ]
  return { text, calls, finish, usage: counts && counts[1] !== 0 ? counts : null }
}

async function theirs(body: readonly Uint8Array[]): Promise<Said> {
  const fetch = async () => new Response(Buffer.concat(body), { headers: { "content-type": "text/event-stream" } })
  const client = new OpenAI({ apiKey: "x", baseURL: "http://model.test/v1", fetch, maxRetries: 0, logLevel: "off" })
  const params: ChatCompletionCreateParamsStreaming = { model: "m", messages: [], stream: true }
  const printed = {
    text: "",
    calls: [] as { id: string; name: string; arguments: string }[],
    finish: null as string | null,
    usage: null as number[] | null,
  }
  try {
    for await (const chunk of await client.chat.completions.create(params)) take(printed, chunk)
  } catch (error) {
    // The cut leaves the client half an event; the events before it count.
    assert.ok(error instanceof SyntaxError || error instanceof Error)
  }
  return printed
}

function take(
  printed: {
    text: string
    calls: { id: string; name: string; arguments: string }[]
    finish: string | null
    usage: number[] | null
  },
  chunk: ChatCompletionChunk,
): void {
  const choice = chunk.choices[0]
  if (chunk.usage) {
    const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = chunk.usage
    printed.usage = [
      prompt_tokens,
      completion_tokens,
      prompt_tokens_details?.cached_tokens ?? 0,
      prompt_tokens_details?.cache_write_tokens ?? 0,
      completion_tokens_details?.reasoning_tokens ?? 0,
    ]
  }
  printed.text += choice?.delta.content ?? ""
  if (choice?.finish_reason) printed.finish = choice.finish_reason
  for (const piece of choice?.delta.tool_calls ?? []) {
    const call = (printed.calls[piece.index] ??= { id: "", name: "", arguments: "" })
    call.id ||= piece.id ?? ""
    call.name ||= piece.function?.name ?? ""
    call.arguments += piece.function?.arguments ?? ""
  }
}
