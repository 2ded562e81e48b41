import assert from "node:assert/strict"
import { test } from "node:test"
import { type Content, type GenerateContentResponse, GoogleGenAI } from "@google/genai"
import type { AssistantContent, Usage } from "@gong/spec"
import { googleGenerativeAi } from "../../src/google-generative-ai/provider.ts"
import { contentsOf } from "../../src/google-generative-ai/request.ts"
import { requestWith, collect, type Collected, fakeTransport, manualClock, modelOf, replyMessage } from "../helpers.ts"
import { gemini } from "./google-streams.ts"
import { randomPieces } from "./pieces.ts"

const model = modelOf({ api: "google-generative-ai" })

for (const [name, stream] of Object.entries(gemini)) {
  const bytes = Buffer.from(stream)

  test(`[PROVIDER-ADP.2] [PROVIDER-ADP.3] [PROVIDER-04] google: "${name}" equals the official client's reply`, async () => {
    const { reply } = await read([bytes])
    assert.ok(reply.ok, JSON.stringify(reply))
    const { chunks, broke } = await theirs(bytes)
    assert.equal(broke, false)
    const { content, stopReason, usage } = reply.message
    assert.deepEqual({ printed: saidBy(content), usage, over: stopReason !== "length" }, finalOf(chunks))
  })

  test(`google: "${name}" is sent back as the official client's chat does`, async () => {
    const { reply } = await read([bytes])
    assert.ok(reply.ok)
    const mine = { model: { provider: "test", id: "m", api: "google-generative-ai" } }
    const [content] = contentsOf([replyMessage(reply.message.content, mine)], model) as Content[]
    assert.deepEqual(joined(content?.parts ?? []), joined(await chatHistory(bytes)))
  })

  test(`google: "${name}" is the same byte by byte, and in chunks of any size`, async () => {
    const whole = await read([bytes])
    assert.deepEqual((await read(pieces(bytes, () => 1))).reply, whole.reply)
    for (let seed = 1; seed <= 200; seed++)
      assert.deepEqual((await read(randomPieces(bytes, seed))).reply, whole.reply, `seed ${seed}`)
  })

  test(`google: "${name}" cut at every byte equals the official client's partial reply, and is a failure before its end`, async () => {
    const ends = eventEnds(bytes)
    const printed = await Promise.all(ends.map(async (end) => chunkSaid((await theirs(bytes.subarray(0, end))).chunks)))
    for (let cut = 0; cut < bytes.length; cut++) {
      const got = await read([bytes.subarray(0, cut)])
      const shown = draftSaid(got)
      const whole = ends.findLastIndex((end) => end <= cut)
      // We accept an event without its final blank line if its JSON is complete.
      if (JSON.stringify(shown) !== JSON.stringify(printed[whole])) {
        assert.ok(cut >= (ends[whole + 1] ?? Infinity) - 4, `cut at ${cut}`)
        assert.deepEqual(shown, printed[whole + 1], `cut at ${cut}`)
      }
      if (got.reply.ok) assert.ok(cut >= bytes.length - 4, `cut at ${cut}`)
      else assert.match(got.reply.failure.kind, /^(network|bad-reply)$/)
    }
  })
}

interface Said {
  text: string
  thinking: string
  calls: { name: string; args: unknown; id?: string; signature?: string }[]
  signatures: string[]
}

function saidBy(content: readonly AssistantContent[]): Said {
  const printed: Said = { text: "", thinking: "", calls: [], signatures: [] }
  for (const block of content) {
    if (block.type === "text") printed.text += block.text
    if (block.type === "thinking") printed.thinking += block.text
    if (block.type !== "text" && block.signature) printed.signatures.push(block.signature)
    if (block.type === "tool_call") printed.calls.push({ name: block.name, args: block.arguments, id: block.id })
  }
  return printed
}

function draftSaid({ partials }: Collected): Said {
  const printed: Said = { text: "", thinking: "", calls: [], signatures: [] }
  for (const partial of partials) {
    if (partial.type === "text") printed.text += partial.delta
    if (partial.type === "thinking") printed.thinking += partial.delta
    if (partial.type === "call") printed.calls.push({ name: partial.name, args: null, id: partial.id })
    const call = partial.type === "args" ? printed.calls.at(-1) : undefined
    if (partial.type === "args" && call) call.args = JSON.parse(partial.delta)
  }
  return printed
}

/** The displayed reply while it streams. */
function chunkSaid(chunks: readonly GenerateContentResponse[]): Said {
  return { ...saidIn(chunks), signatures: [] }
}

function saidIn(chunks: readonly GenerateContentResponse[]): Said {
  const printed: Said = { text: "", thinking: "", calls: [], signatures: [] }
  for (const part of chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])) {
    if (part.thought) printed.thinking += part.text ?? ""
    else printed.text += part.text ?? ""
    if (part.thoughtSignature) printed.signatures.push(part.thoughtSignature)
    const { name = "", args, id = "" } = part.functionCall ?? {}
    if (part.functionCall) printed.calls.push({ name, args, id })
  }
  return printed
}

function finalOf(chunks: readonly GenerateContentResponse[]): { printed: Said; usage: Usage; over: boolean } {
  const last = chunks.at(-1)
  const usage = last?.usageMetadata
  const cacheRead = usage?.cachedContentTokenCount ?? 0
  const reasoning = usage?.thoughtsTokenCount ?? 0
  const input = (usage?.promptTokenCount ?? 0) - cacheRead
  const output = (usage?.totalTokenCount ?? 0) - (usage?.promptTokenCount ?? 0)
  const over = last?.candidates?.[0]?.finishReason === "STOP"
  return { printed: saidIn(chunks), usage: { input, output, cacheRead, cacheWrite: 0, reasoning }, over }
}

/** After each event, and before the first. */
function eventEnds(bytes: Buffer): number[] {
  const ends = [0]
  for (let at = bytes.indexOf("\r\n\r\n"); at >= 0; at = bytes.indexOf("\r\n\r\n", at + 4)) ends.push(at + 4)
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
  return collect(googleGenerativeAi(model, ports), requestWith())
}

function client(bytes: Uint8Array): GoogleGenAI {
  const fetch = async () => new Response(Buffer.from(bytes), { headers: { "content-type": "text/event-stream" } })
  return new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: "http://model.test", fetch } })
}

async function theirs(bytes: Uint8Array): Promise<{ chunks: GenerateContentResponse[]; broke: boolean }> {
  const chunks: GenerateContentResponse[] = []
  try {
    const stream = await client(bytes).models.generateContentStream({ model: "m", contents: "hi" })
    for await (const chunk of stream) chunks.push(chunk)
    return { chunks, broke: false }
  } catch {
    // The cut is inside an event.
    return { chunks, broke: true }
  }
}

type Parts = NonNullable<Content["parts"]>

/** The next request of the client's own chat. */
async function chatHistory(bytes: Uint8Array): Promise<Parts> {
  const chat = client(bytes).chats.create({ model: "m" })
  for await (const _ of await chat.sendMessageStream({ message: "hi" }));
  return chat.getHistory().flatMap(({ role, parts }) => (role === "model" ? (parts ?? []) : []))
}

/** Parts of one text merged; a signed part stays separate. */
function joined(parts: Parts): Parts {
  const all: Parts = []
  for (const part of parts) {
    const last = all.at(-1)
    const plain = (one: Parts[number] | undefined) => one?.text !== undefined && one.thoughtSignature === undefined
    if (last && plain(last) && plain(part) && last.thought === part.thought) {
      all[all.length - 1] = { ...last, text: `${last.text ?? ""}${part.text ?? ""}` }
    } else all.push(part)
  }
  return all
}
