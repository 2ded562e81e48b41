import assert from "node:assert/strict"
import { test } from "node:test"
import { type AssistantMessage, type Compat, type Message, type Model, userText } from "@gong/spec"
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import { createRegistry, noOwnModels, resolveModel } from "../../src/index.ts"
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

async function bodyFor(messages: readonly Message[], model: Model) {
  const transport = fakeTransport({ body: [events("[DONE]")] })
  await collect(
    openaiCompletions(model, { transport, clock: manualClock(), credential: null }),
    requestWith({ messages }),
  )
  return transport.bodies()[0] as ChatCompletionCreateParamsStreaming
}

/** A reply of the tested model, unless specified otherwise. */
function printed(content: AssistantMessage["content"], id = "gemini-3"): AssistantMessage {
  return replyMessage(content, { model: { provider: "test", id, api: "openai-completions" } })
}

const call = (id: string) => ({ type: "tool_call", id, name: "ls", arguments: {} }) as const

test("the signature of a call goes back to its model; a model that requires signatures gets Google's placeholder for calls of others", async () => {
  const signed = { ...call("c1"), signature: "c2Vh" }
  const by = (id: string) => [userText("go"), printed([signed, call("c2")], id), result("c1", "x"), result("c2", "y")]
  const own = by("gemini-3")
  const extra = (signature: string) => ({ google: { thought_signature: signature } })
  const sent = async (messages: readonly Message[], compat: Compat = {}) => {
    const body = await bodyFor(messages, modelOf({ id: "gemini-3", compat }))
    const [reply] = body.messages.filter(({ role }) => role === "assistant")
    const calls = reply?.role === "assistant" ? (reply.tool_calls ?? []) : []
    return calls.map((made) => ("extra_content" in made ? made.extra_content : null))
  }
  assert.deepEqual(await sent(own), [extra("c2Vh"), null])
  const foreign = by("other")
  assert.deepEqual(await sent(foreign), [null, null])
  assert.deepEqual(await sent(foreign, { callSeals: "extra_content" }), [
    extra("skip_thought_signature_validator"),
    null,
  ])
})

test("a refused signature is removed, and the request is repeated once with the placeholder", async () => {
  const error = { code: 400, message: "Function call is missing a thought_signature in functionCall parts." }
  const transport = fakeTransport({ status: 400, body: [JSON.stringify([{ error }])] }, { body: [events("[DONE]")] })
  const messages = [userText("go"), printed([{ ...call("c1"), signature: "c2Vh" }]), result("c1", "x")]
  const model = modelOf({ id: "gemini-3", compat: { callSeals: "extra_content" } })
  await collect(
    openaiCompletions(model, { transport, clock: manualClock(), credential: null }),
    requestWith({ messages }),
  )
  const [first, second] = transport.bodies().map((body) => JSON.stringify(body))
  assert.ok(first?.includes("c2Vh"))
  assert.ok(second && !second.includes("c2Vh") && second.includes("skip_thought_signature_validator"))
})

for (const id of ["google/gemini-3-pro-preview", "anthropic/claude-sonnet-5.5"])
  test(`to ${id}, calls of others have a reasoning detail only if one is required`, async () => {
    const messages = [userText("go"), printed([call("c1"), call("c2")], "other"), result("c1", "x"), result("c2", "y")]
    const body = await bodyFor(messages, modelOf({ id, compat: { callSeals: "reasoning_details" } }))
    const reply = body.messages.find(({ role }) => role === "assistant") as { reasoning_details?: unknown }
    const data = "skip_thought_signature_validator"
    const detail = { type: "reasoning.encrypted", data, id: "c1", format: "google-gemini-v1", index: 0 }
    assert.deepEqual(reply.reasoning_details, id.includes("gemini") ? [detail] : undefined)
  })

test("Google's models over this format require signatures", async () => {
  const asked = { provider: "google", id: "gemini-2.5-pro", api: "openai-completions", env: {} } as const
  const resolved = await resolveModel(asked, createRegistry(noOwnModels))
  assert.equal(resolved.ok && resolved.model.compat?.callSeals, "extra_content")
})
