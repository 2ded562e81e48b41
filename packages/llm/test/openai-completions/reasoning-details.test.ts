import assert from "node:assert/strict"
import { test } from "node:test"
import { type AssistantMessage, type Message, userText } from "@gong/spec"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { requestWith, collect, events, fakeTransport, manualClock, modelOf, replyMessage } from "../helpers.ts"

const delta = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const details = (...list: readonly object[]) => delta({ reasoning_details: list })

async function asked(messages: readonly Message[], ...chunks: readonly unknown[]) {
  const transport = fakeTransport({ body: [events(...chunks)] })
  const ports = { transport, clock: manualClock(), credential: null }
  const { partials, reply } = await collect(openaiCompletions(modelOf(), ports), requestWith({ messages }))
  return { partials, reply, body: transport.bodies()[0] as { readonly messages: readonly Record<string, unknown>[] } }
}

async function replyTo(...chunks: readonly unknown[]) {
  const { partials, reply } = await asked([userText("hi")], ...chunks)
  assert.ok(reply.ok, JSON.stringify(reply))
  return { partials, message: reply.message }
}

/** The reasoning that a reply sends back as history. */
async function sentBack(message: AssistantMessage): Promise<Record<string, unknown>> {
  const { body } = await asked([userText("hi"), message, userText("go on")], delta({ content: "a" }, "stop"))
  const {
    role: _,
    content: __,
    tool_calls: ___,
    ...thoughts
  } = body.messages.find(({ role }) => role === "assistant") ?? {}
  return thoughts
}

for (const { what, pieces, shown, back } of [
  {
    what: "signed text in pieces, without the repeated text",
    pieces: [
      delta({
        reasoning: "I ",
        reasoning_details: [{ type: "reasoning.text", text: "I ", format: "anthropic-claude-v1", index: 0 }],
      }),
      delta({
        reasoning: "look",
        reasoning_details: [{ type: "reasoning.text", text: "look", format: "anthropic-claude-v1", index: 0 }],
      }),
      details({ type: "reasoning.text", signature: "c2ln", format: "anthropic-claude-v1", index: 0 }),
    ],
    shown: "I look",
    back: [{ type: "reasoning.text", text: "I look", signature: "c2ln", format: "anthropic-claude-v1", index: 0 }],
  },
  {
    what: "text, and signatures of calls after it",
    pieces: [
      details({ type: "reasoning.text", text: "hm", format: "google-gemini-v1", index: 0 }),
      delta({ tool_calls: [{ index: 0, id: "t1", function: { name: "ls", arguments: "{}" } }] }),
      details({ type: "reasoning.encrypted", data: "c2Vh", id: "t1", format: "google-gemini-v1", index: 0 }),
      details({ type: "reasoning.encrypted", data: "c2Vi", id: "t2", format: "google-gemini-v1", index: 0 }),
    ],
    shown: "hm",
    back: [
      { type: "reasoning.text", text: "hm", format: "google-gemini-v1", index: 0 },
      { type: "reasoning.encrypted", data: "c2Vh", id: "t1", format: "google-gemini-v1", index: 0 },
      { type: "reasoning.encrypted", data: "c2Vi", id: "t2", format: "google-gemini-v1", index: 0 },
    ],
  },
  {
    what: "a summary, its original, and text with another index",
    pieces: [
      details({ type: "reasoning.summary", summary: "in ", id: null, index: 0 }),
      details({ type: "reasoning.summary", summary: "short", id: "rs_1", index: 0 }),
      details({ type: "reasoning.encrypted", data: "c2Vh", id: "rs_1", index: 0 }),
      details({ type: "reasoning.text", text: "one", index: 1 }, { type: "reasoning.text", text: "two", index: 2 }),
    ],
    shown: "in shortonetwo",
    back: [
      { type: "reasoning.summary", summary: "in short", id: "rs_1", index: 0 },
      { type: "reasoning.encrypted", data: "c2Vh", id: "rs_1", index: 0 },
      { type: "reasoning.text", text: "one", index: 1 },
      { type: "reasoning.text", text: "two", index: 2 },
    ],
  },
]) {
  test(`reasoning details are sent back unchanged: ${what}`, async () => {
    const { partials, message } = await replyTo(...pieces, delta({ content: "done" }, "stop"))
    const thought = partials.map((partial) => (partial.type === "thinking" ? partial.delta : "")).join("")
    assert.equal(thought, shown)
    assert.deepEqual(await sentBack(message), { reasoning_details: back })
  })
}

test("details without text keep the repeated text, and both are sent back", async () => {
  const { message } = await replyTo(
    delta({ reasoning: "hm", reasoning_details: [{ type: "reasoning.encrypted", data: "c2Vh", index: 0 }] }),
    delta({ content: "done" }, "stop"),
  )
  assert.deepEqual(
    message.content.map((block) => block.type !== "tool_call" && block.text),
    ["", "hm", "done"],
  )
  assert.deepEqual(await sentBack(message), {
    reasoning: "hm",
    reasoning_details: [{ type: "reasoning.encrypted", data: "c2Vh", index: 0 }],
  })
})

test("another model gets the text but no encrypted details; a signature that is not a detail is ignored", async () => {
  const { message } = await replyTo(
    details({ type: "reasoning.text", text: "hm", index: 0 }, { type: "reasoning.encrypted", data: "c2Vh", index: 0 }),
    delta({ content: "done" }, "stop"),
  )
  const other = replyMessage(message.content, { model: { ...message.model, id: "other" } })
  assert.deepEqual(await sentBack(other), {})
  const broken = ["{", "{}", '{"type":1}'].map((signature) => ({ type: "thinking", text: "x", signature }) as const)
  assert.deepEqual(await sentBack(replyMessage([...broken, { type: "text", text: "a" }])), {})
})
