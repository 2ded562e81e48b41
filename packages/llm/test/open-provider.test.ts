import assert from "node:assert/strict"
import { test } from "node:test"
import { apis, type ModelRequest, type Provider } from "@gong/spec"
import { formatOf, openProvider, wireFormats, withFormat } from "../src/open-provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, replyMessage } from "./helpers.ts"

/** The shortest reply of each wire format. */
const replies = {
  "openai-completions": events({ choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] }, "[DONE]"),
  "openai-responses": events(
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m", content: [] } },
    { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "hi" },
    { type: "response.completed", response: { status: "completed", usage: { input_tokens: 1, output_tokens: 1 } } },
  ),
  "anthropic-messages": events(
    { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ),
  "google-generative-ai": events({
    candidates: [{ content: { role: "model", parts: [{ text: "hi" }] }, finishReason: "STOP" }],
  }),
} as const

const ports = () => ({ clock: manualClock(), credential: { key: "k", from: "X" } })

for (const api of apis) {
  test(`[PROVIDER-REG.3] [PROVIDER-REG.4] over ${api} a model, a context and options give a stream that ends in the reply`, async () => {
    const transport = fakeTransport({ body: [replies[api]] })
    // One option of the wire format, and one common to all formats.
    const model = modelOf({ api, body: { own_option: 7 } })
    const provider = await openProvider(model, { ...ports(), transport })
    const { partials, reply } = await collect(provider, requestWith({ thinking: "high" }))
    assert.deepEqual([partials[0]?.type, partials.some(({ type }) => type === "text")], ["start", true])
    assert.ok(reply.ok)
    assert.deepEqual(reply.message.content, [{ type: "text", text: "hi" }])
    const sent = transport.bodies()[0] as Readonly<Record<string, unknown>>
    assert.equal(sent["own_option"], 7)
    assert.match(JSON.stringify(sent), /"(reasoning_effort|reasoning|thinking|thinkingConfig)":/)
  })
}

test("[PROVIDER-REG.1] a registered format is used; the others stay unchanged", async () => {
  const asked: ModelRequest[] = []
  const open = (model: Provider["model"]): Provider => ({
    model,
    async *stream(ask) {
      asked.push(ask)
      yield { type: "start", draftId: ask.draftId, model: { provider: "p", id: "m", api: "scripted" } }
      return { ok: true, message: replyMessage([{ type: "text", text: "mine" }]) }
    },
  })
  const formats = withFormat(wireFormats, "scripted", open)
  const model = modelOf({ api: "scripted" })
  assert.equal(await formatOf(model, formats), open)
  assert.equal(await formatOf(modelOf(), formats), await formatOf(modelOf()))
  const { reply } = await collect(await openProvider(model, { ...ports(), transport: fakeTransport() }, formats))
  assert.ok(reply.ok)
  assert.equal(asked.length, 1)
  await assert.rejects(formatOf(model), /test speaks scripted, which is no wire format/)
})
