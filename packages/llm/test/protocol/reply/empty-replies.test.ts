import assert from "node:assert/strict"
import { test } from "node:test"
import { deepFreeze, type Message, type ToolResultMessage, userText } from "@gong/spec"
import { openProvider } from "../../../src/open-provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, replyMessage } from "../../helpers.ts"

// A complete reply without text and without calls.

const result: ToolResultMessage = deepFreeze({
  role: "tool",
  toolCallId: "c1",
  toolName: "ls",
  content: [{ type: "text", text: "a.txt" }],
  details: null,
  isError: false,
  status: "ok",
})
const call = replyMessage([{ type: "tool_call", id: "c1", name: "ls", arguments: {} }], { stopReason: "tool_calls" })
const asked: readonly Message[] = [deepFreeze(userText("hi"))]
const afterTool: readonly Message[] = [...asked, call, result]

const usage = { prompt_tokens: 10, completion_tokens: 1 }
const chat = (delta: object) => events({ choices: [{ index: 0, delta, finish_reason: "stop" }], usage })
const response = (...output: readonly object[]) =>
  events({ type: "response.completed", response: { status: "completed", output } })
const anthropic = (...blocks: readonly object[]) =>
  events(
    { type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } },
    ...blocks.map((content_block, index) => ({ type: "content_block_start", index, content_block })),
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  )
const google = (...parts: readonly object[]) => events({ candidates: [{ content: { parts }, finishReason: "STOP" }] })
const printed = (text: string) => ({ type: "message", content: [{ type: "output_text", text }] })

const empty = {
  "openai-completions": [
    chat({}),
    chat({ content: "" }),
    chat({ content: " \n" }),
    chat({ content: "<think></think>" }),
  ],
  "openai-responses": [response(), response(printed("")), response(printed("\n"))],
  "anthropic-messages": [anthropic(), anthropic({ type: "text", text: "" }), anthropic({ type: "text", text: "\n" })],
  "google-generative-ai": [google(), google({ text: "" }), google({ text: "\n" })],
} as const

async function read(api: keyof typeof empty, body: string, messages: readonly Message[]) {
  const ports = { transport: fakeTransport({ body: [body] }), clock: manualClock(), credential: null }
  return (await collect(await openProvider(modelOf({ api }), ports), requestWith({ messages }))).reply
}

for (const [api, bodies] of Object.entries(empty) as [keyof typeof empty, readonly string[]][]) {
  test(`${api}: an empty reply is a retryable failure; after a tool it ends the run (except for Google, where a retry helps)`, async () => {
    for (const body of bodies) {
      const reply = await read(api, body, asked)
      assert.ok(!reply.ok, body)
      const { kind, message, retryable } = reply.failure
      assert.deepEqual([kind, message, retryable], ["bad-reply", "test sent an empty reply", true])
      const after = await read(api, body, afterTool)
      assert.equal(after.ok, api !== "google-generative-ai", body)
    }
  })
}

test("the usage of an empty reply is kept, since it costs", async () => {
  const reply = await read("openai-completions", chat({}), asked)
  assert.equal(!reply.ok && reply.partial?.usage.input, 10)
})

test("reasoning alone is a reply, except for Google, where a retry helps", async () => {
  const signed = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ENC" }
  for (const [api, body] of [
    ["openai-completions", chat({ reasoning_content: "hm" })],
    ["openai-responses", response(signed)],
    ["anthropic-messages", anthropic({ type: "thinking", thinking: "hm", signature: "SIG" })],
  ] as const) {
    const reply = await read(api, body, asked)
    assert.ok(reply.ok, api)
    assert.deepEqual([reply.message.stopReason, reply.message.content[0]?.type], ["stop", "thinking"])
  }
  assert.equal((await read("google-generative-ai", google({ text: "hm", thought: true }), asked)).ok, false)
})
