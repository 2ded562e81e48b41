import assert from "node:assert/strict"
import { test } from "node:test"
import { type AssistantMessage, type Message, userText } from "@gong/spec"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import {
  requestWith,
  collect,
  events,
  fakeTransport,
  manualClock,
  modelOf,
  replyMessage,
  resultMessage as result,
} from "../helpers.ts"

// Mistral's reasoning models put their reasoning into `content` (docs.mistral.ai/capabilities/reasoning; the client's
// models ThinkChunk and AssistantMessage).

const thought = (text: string, more: object = {}) => ({ type: "thinking", thinking: [{ type: "text", text }], ...more })
const words = (text: string) => ({ type: "text", text })
const delta = (content: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
})

async function exchange(body: string, messages: readonly Message[] = [userText("hi")]) {
  const transport = fakeTransport({ body: [body] })
  const { partials, reply } = await collect(
    openaiCompletions(modelOf(), { transport, clock: manualClock(), credential: null }),
    requestWith({ messages }),
  )
  assert.ok(reply.ok, JSON.stringify(reply))
  const sent = transport.bodies()[0] as { readonly messages: readonly Record<string, unknown>[] }
  return { partials, message: reply.message, assistant: sent.messages.find(({ role }) => role === "assistant") }
}

const content = [
  { type: "thinking", text: "I look.", signature: "content" },
  { type: "text", text: "42" },
]

test("reasoning in the content, in pieces and beside the following text", async () => {
  const { partials, message } = await exchange(
    events(
      delta(""),
      delta([thought("I ")]),
      delta([thought("look", { closed: true })]),
      delta([thought("."), words("4")]),
      delta("2", "stop"),
      "[DONE]",
    ),
  )
  assert.deepEqual(message.content, content)
  assert.deepEqual(
    partials.map((partial) =>
      partial.type === "thinking" || partial.type === "text" ? [partial.type, partial.delta] : partial.type,
    ),
    ["start", ["thinking", "I "], ["thinking", "look"], ["thinking", "."], ["text", "4"], ["text", "2"]],
  )
})

test("reasoning in the content of a non-streamed reply; its references have no text", async () => {
  const parts = [
    { type: "thinking", thinking: [words("I "), { type: "reference", reference_ids: [1] }, words("look.")] },
  ]
  const reply = { choices: [{ index: 0, message: { content: [...parts, words("42")] }, finish_reason: "stop" }] }
  assert.deepEqual((await exchange(JSON.stringify(reply))).message.content, content)
})

/** The assistant message of a request with this reply as history. */
async function sentBack(reply: AssistantMessage): Promise<unknown> {
  const body = events(delta("a", "stop"))
  return (await exchange(body, [userText("go"), reply, result("c1", "x"), userText("on")])).assistant
}

const call = { type: "tool_call", id: "c1", name: "ls", arguments: {} } as const
const sentCall = { id: "c1", type: "function", function: { name: "ls", arguments: "{}" } }
const [think, say] = [
  { type: "thinking", text: "I look.", signature: "content" },
  { type: "text", text: "42" },
] as const

test("reasoning in the content goes back to its model in the content, in place", async () => {
  assert.deepEqual(await sentBack(replyMessage([think, say, { ...think, text: "And." }, call])), {
    role: "assistant",
    content: [thought("I look."), words("42"), thought("And.")],
    tool_calls: [sentCall],
  })
  assert.deepEqual(await sentBack(replyMessage([think, call])), {
    role: "assistant",
    content: [thought("I look.")],
    tool_calls: [sentCall],
  })
})

test("[PROVIDER-THK.9] reasoning in the content goes to another model as tagged text", async () => {
  const other = { provider: "other", id: "x", api: "openai-completions" } as const
  assert.deepEqual(await sentBack(replyMessage([think, say], { model: other })), {
    role: "assistant",
    content: "<thinking>\nI look.\n</thinking>\n42",
  })
})
